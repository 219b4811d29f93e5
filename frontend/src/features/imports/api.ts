import { keepPreviousData } from '@tanstack/react-query'
import { $api, client, data } from '~/api/client'
import { download, FILE } from '~/api/download'
import { type Import, type ImportType, importStatusValues, importTypeValues, type paths } from '~/api/schema'
import { type UploadOptions, upload } from '~/api/upload'
import { tenantRef } from '~/features/tenants/ref'
import { exporter } from '~/kit/list/exporter'
import { type ListState, listSpec, readListState, toWire } from '~/kit/list/list-state'
import { isRunning, LIST, ONE, PASSIVE, POLL } from './running'

const ERRORS = '/api/admin/imports/{id}/errors'
const ROWS = '/api/admin/imports/{id}/rows'
type Query = NonNullable<paths[typeof LIST]['get']['parameters']['query']>

/** Who looks at one import wants to see it move. */
const POLL_ONE = 2_000

export const importList = listSpec<Query>()({
  filters: {
    name: { kind: 'text' },
    status: { kind: 'enum', values: importStatusValues },
    type: { kind: 'enum', values: importTypeValues },
    tenant_id: { kind: 'ref', source: tenantRef },
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
  /** Rows that were accepted although there is something to say of them. */
  warnings: (id: number, page: number) =>
    $api.queryOptions(
      'get',
      ROWS,
      { params: { path: { id }, query: { 'filter[warned]': [true], 'page[number]': page, 'page[size]': ERRORS_PAGE } } },
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
