import { useRecordKinds } from '~/features/shared/history/record'

/** Display name of a kind of record. */
export const RecordName = ({ value }: { value: string }) => useRecordKinds().name(value)
