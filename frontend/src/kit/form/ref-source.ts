import type { UseQueryOptions } from '@tanstack/react-query'

/** Queries by which a reference picker finds records: by typed text, and one by its id. */
export interface RefSource<Row> {
  // biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
  find: (search: string) => UseQueryOptions<any, any, { data: Row[] }, any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  one: (id: number) => UseQueryOptions<any, any, Row, any>
  id: (row: Row) => number
  label: (row: Row) => string
}
