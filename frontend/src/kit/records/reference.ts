import { $api } from '~/api/client'
import type { RefSource } from '~/kit/form/ref-source'
import type { ListPath, Query, RecordOf } from './contract'

type Filters<P extends ListPath> = NonNullable<Query<P> extends { filter?: infer F } ? F : never>
type SortOf<P extends ListPath> = NonNullable<Query<P> extends { sort?: infer S } ? S : never>
type FieldOf<P extends ListPath> = keyof Filters<P> extends infer Key ? (Key extends `filter[${infer F}]` ? F : never) : never

interface Options<P extends ListPath> {
  label: (row: RecordOf<P>) => string
  /** Filter that receives the typed text. */
  search: FieldOf<P>
  /** Sort order; that of the list by default. */
  sort?: SortOf<P>
  /** Time in milliseconds for which a cached record is not requested again. */
  staleTime?: number
}

const OFFERED = 20
type AnyReferenceList = '/api/admin/materials'

/** Queries for a picker that refers to records of a list. */
export function reference<P extends ListPath>(path: P, { label, search, sort, staleTime }: Options<P>): RefSource<RecordOf<P>> {
  const list = path as string as AnyReferenceList
  return {
    find: (typed) =>
      $api.queryOptions('get', list, {
        params: {
          query: {
            'page[size]': OFFERED,
            ...(sort && { sort: sort as 'name' }),
            ...(typed && { filter: { [`filter[${search}]`]: typed } }),
          },
        },
      }) as never,
    one: (id) =>
      $api.queryOptions('get', `${list}/{id}`, { params: { path: { id } } }, staleTime === undefined ? {} : { staleTime }) as never,
    id: (row) => (row as { id: number }).id,
    label,
  }
}
