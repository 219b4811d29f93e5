import { useRecordKinds } from '~/features/shared/history/record'

/** Display name of a kind of record. */
export const RecordKindName = ({ value }: { value: string }) => useRecordKinds().name(value)
