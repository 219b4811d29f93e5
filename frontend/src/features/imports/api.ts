import { type InfiniteData, infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { $api, client, data } from '~/api/client'
import { download, FILE } from '~/api/download'
import { type Import, type ImportPage, type ImportType, importStatusValues, importTypeValues, type paths } from '~/api/schema'
import { type UploadOptions, upload } from '~/api/upload'
import { exporter } from '~/kit/list/exporter'
import { type ListState, listSpec, readListState, toWire } from '~/kit/list/list-state'

const LIST = '/api/admin/imports'
const ONE = '/api/admin/imports/{id}'
const ERRORS = '/api/admin/imports/{id}/errors'
type Query = NonNullable<paths[typeof LIST]['get']['parameters']['query']>

const RUNNING = new Set<Import['status']>(['Queued', 'InProgress'])
export const isRunning = (row: Import): boolean => RUNNING.has(row.status)

export const POLL = 30_000
/** Who looks at one import wants to see it move. */
const POLL_ONE = 2_000

/** Imports are looked at while they run; looking must not keep the session alive. */
const PASSIVE = { 'X-Passive': '1' }

export const importList = listSpec<Query>()({
  filters: {
    name: { kind: 'text' },
    status: { kind: 'enum', values: importStatusValues },
    type: { kind: 'enum', values: importTypeValues },
    created_at: { kind: 'date' },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'type', 'status', 'created_at', 'updated_at'],
  defaultSort: '-updated_at',
  search: 'name',
})

export interface ImportForm {
  file: File
  type: ImportType
  name: string | null
  dry_run: boolean
}

const ERRORS_PAGE = 20

export const imports = {
  keys: [
    ['get', LIST],
    ['get', ONE],
    ['bell', LIST],
  ],
  /** What is stale when one has ended. */
  changes: [
    ['get', LIST],
    ['get', ONE],
    ['get', '/api/admin/articles'],
    ['get', '/api/admin/articles/{id}'],
  ],
  list: (state: ListState) =>
    $api.queryOptions(
      'get',
      LIST,
      { params: { query: toWire<Query>(importList, state) }, headers: PASSIVE },
      { refetchInterval: ({ state: { data } }) => (data?.data.some(isRunning) ? POLL : false) },
    ),
  one: (id: number) =>
    $api.queryOptions(
      'get',
      ONE,
      { params: { path: { id } }, headers: PASSIVE },
      { refetchInterval: ({ state: { data } }) => (data && isRunning(data) ? POLL_ONE : false) },
    ),
  errors: (id: number, page: number) =>
    $api.queryOptions(
      'get',
      ERRORS,
      { params: { path: { id }, query: { 'page[number]': page, 'page[size]': ERRORS_PAGE } } },
      { placeholderData: keepPreviousData },
    ),
  /** For the tenant that the form shows. */
  create({ file, ...fields }: ImportForm, tenantId: number, options: UploadOptions): Promise<Import> {
    const form = new FormData()
    form.set('type', fields.type)
    if (fields.name) form.set('name', fields.name)
    form.set('dry_run', String(fields.dry_run))
    form.set('file', file)
    return upload<Import>(`${LIST}?tenant_id=${tenantId}`, form, options)
  },
  export: exporter(`${LIST}/export`, importList),
  cancel: (id: number) => data(client.DELETE(ONE, { params: { path: { id } } })),
  download(row: Import, which: 'upload' | 'error') {
    const call = { params: { path: { id: row.id } }, ...FILE }
    return download(which === 'upload' ? client.GET(`${ONE}/upload-file`, call) : client.GET(`${ONE}/error-file`, call))
  },
}

export const preload = (search: string) => imports.list(readListState(importList, search))

export const bell = {
  /** A key of its own: an infinite list must not share a plain query's. */
  list: () =>
    infiniteQueryOptions({
      queryKey: ['bell', LIST],
      queryFn: ({ pageParam, signal }) =>
        data(
          client.GET(LIST, {
            params: { query: { 'page[number]': pageParam, 'page[size]': 10, sort: '-updated_at' } },
            headers: PASSIVE,
            signal,
          }),
        ),
      initialPageParam: 1,
      getNextPageParam: ({ meta }) => (meta.current_page < meta.last_page ? meta.current_page + 1 : null),
    }),
  unread: (since: string | null) =>
    queryOptions({
      queryKey: ['bell', LIST, 'unread', since],
      queryFn: async ({ signal }) => {
        const page = await data(
          client.GET(LIST, {
            params: { query: { 'page[size]': 1, ...(since && { 'filter[updated_at_greater_than]': [since] }) } },
            headers: PASSIVE,
            signal,
          }),
        )
        return page.meta.total
      },
    }),
}

/** The bell's list with one more on top. */
export function withNewest<P>(list: InfiniteData<ImportPage, P>, row: Import): InfiniteData<ImportPage, P> {
  const [first, ...rest] = list.pages
  return first ? { ...list, pages: [{ ...first, data: [row, ...first.data] }, ...rest] } : list
}
