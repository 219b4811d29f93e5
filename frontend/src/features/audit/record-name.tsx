import { useRecords } from '~/features/shared/history/record'

/** What a kind of records is called. */
export const RecordName = ({ value }: { value: string }) => useRecords().name(value)
