import { $api } from '~/api/client'
import type { RefSource } from '~/kit/form/ref-source'
import type { ListPath, Query, RecordOf } from './contract'

type Filters<P extends ListPath> = NonNullable<Query<P> extends { filter?: infer F } ? F : never>
type SortOf<P extends ListPath> = NonNullable<Query<P> extends { sort?: infer S } ? S : never>
type FieldOf<P extends ListPath> = keyof Filters<P> extends infer Key ? (Key extends `filter[${infer F}]` ? F : never) : never

interface Options<P extends ListPath> {
  label: (row: RecordOf<P>) => string
  /** The filter that what was typed goes into. */
  search: FieldOf<P>
  /** Otherwise in the list's own order. */
  sort?: SortOf<P>
  /** How long a record is taken for unchanged. */
  staleTime?: number
}

const OFFERED = 20
type Alike = '/api/admin/materials'

/** Records of a list, to be referred to. */
export function reference<P extends ListPath>(path: P, { label, search, sort, staleTime }: Options<P>): RefSource<RecordOf<P>> {
  const list = path as string as Alike
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
