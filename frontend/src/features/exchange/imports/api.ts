import { keepPreviousData } from '@tanstack/react-query'
import { change } from '~/api/change'
import { $api, client, data } from '~/api/client'
import { download, FILE } from '~/api/download'
import {
  type Import,
  type ImportCorrectedRow,
  type ImportMappedColumn,
  type ImportReplaceScope,
  type ImportRow,
  type ImportSettings,
  type ImportStrategy,
  type ImportType,
  importStatusValues,
  importTypeValues,
  type PriceFormat,
} from '~/api/schema'
import { type UploadOptions, upload } from '~/api/upload'
import { IMPORT_PATH, IMPORTS_PATH, isRunning, PASSIVE, pollInterval } from '~/features/exchange/shared/running'
import { tenantRef } from '~/features/identity/tenants/ref'
import { crud } from '~/kit/records/crud'
import type { Exporter } from '~/kit/table/exporter'
import type { ListState } from '~/kit/table/list-state'

const ERRORS = '/api/admin/imports/{id}/errors'
const ROWS = '/api/admin/imports/{id}/rows'
const APPLY = '/api/admin/imports/{id}/apply'
const UNDO = '/api/admin/imports/{id}/undo'
const CORRECTIONS = '/api/admin/imports/{id}/corrections'
const STOP = '/api/admin/imports/{id}/stop'
const COLUMNS = '/api/admin/imports/columns'
const TEMPLATE = '/api/admin/imports/template'
const GROUPS = '/api/admin/imports/{id}/error-groups'

/** Polling interval for one import in milliseconds, short because the user is watching it. */
const POLL_ONE = 2_000

export interface ImportForm {
  file: File
  type: ImportType
  /** Price list that the file is for; only for the type whose rows are prices of one list. */
  price_list_id: number | null
  name: string | null
  dry_run: boolean
  /** True if rows that are hidden in the spreadsheet are skipped. */
  skip_hidden_rows: boolean
  strategy: ImportStrategy
  replace_scope: ImportReplaceScope
}

/** Import with the mapping of its columns, if their names do not give it. */
export type MappedImport = ImportForm & {
  mapping: ImportMappedColumn[] | null
  settings: ImportSettings | null
  /** Format of a price file that is not a table. */
  price_format: PriceFormat | null
}

const ERRORS_PAGE = 20
const ROWS_PAGE = 40

/** Percentage above which a change of a price counts as large. */
export const MUCH = 5

/** Filter of the rows: all, those with a result, or those whose price has changed by more than `MUCH`. */
export type RowFilter = ImportRow['outcome'] | 'much' | null

const base = crud(IMPORTS_PATH, {
  filters: {
    search: { kind: 'search' },
    name: { kind: 'text', optional: true },
    dry_run: { kind: 'bool' },
    status: { kind: 'enum', values: importStatusValues },
    type: { kind: 'enum', values: importTypeValues },
    tenant_id: { kind: 'ref', source: tenantRef },
    created_at: { kind: 'date' },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'type', 'status', 'created_at', 'updated_at'],
  defaultSort: '-updated_at',
  search: 'search',
  headers: PASSIVE,
})

/** Leaves out dry runs of imports and undos; they are shown where they were started. */
const real = (state: ListState): ListState =>
  state.filters.some(({ field }) => field === 'dry_run')
    ? state
    : { ...state, filters: [...state.filters, { field: 'dry_run', op: 'is', values: ['false'] }] }

export const imports = {
  spec: base.spec,
  export: ((state, format) => base.export(real(state), format)) satisfies Exporter,
  list: (state: ListState) => ({
    ...base.list(real(state)),
    refetchInterval: ({ state: { data } }: { state: { data: { data: Import[] } | undefined } }) =>
      data?.data.some(isRunning) ? pollInterval() : (false as const),
  }),
  one: (id: number) => ({
    ...base.one(id),
    refetchInterval: ({ state: { data } }: { state: { data: Import | undefined } }) =>
      data && isRunning(data) ? pollInterval(POLL_ONE) : (false as const),
  }),
  errors: (id: number, page: number) =>
    $api.queryOptions(
      'get',
      ERRORS,
      { params: { path: { id }, query: { 'page[number]': page, 'page[size]': ERRORS_PAGE } } },
      { placeholderData: keepPreviousData },
    ),
  /** Rows with warnings: accepted ones, or those that wait for a release. */
  warnings: (id: number, page: number, underReview = false) =>
    $api.queryOptions(
      'get',
      ROWS,
      {
        params: {
          path: { id },
          query: {
            'filter[warned]': [true],
            [underReview ? 'filter[outcome]' : 'filter[outcome_not_equals]']: ['held'],
            'page[number]': page,
            'page[size]': ERRORS_PAGE,
          },
        },
      },
      { placeholderData: keepPreviousData },
    ),
  /** Uploads a file for the tenant that the form shows. */
  create(
    { file, mapping, settings, price_format, price_list_id, ...fields }: MappedImport,
    tenantId: number,
    options: UploadOptions,
  ): Promise<Import> {
    const form = new FormData()
    form.set('type', fields.type)
    if (price_list_id !== null) form.set('price_list_id', String(price_list_id))
    if (fields.name) form.set('name', fields.name)
    form.set('dry_run', String(fields.dry_run))
    if (fields.skip_hidden_rows) form.set('skip_hidden_rows', 'true')
    form.set('strategy', fields.strategy)
    form.set('replace_scope', fields.replace_scope)
    if (price_format) form.set('price_format', price_format)
    if (mapping) form.set('mapping', JSON.stringify(mapping))
    if (settings) form.set('settings', JSON.stringify(settings))
    form.set('file', file)
    return upload<Import>(`${IMPORTS_PATH}?tenant_id=${tenantId}`, form, options)
  },
  /** Columns that files of a type may have. */
  columns: (type: ImportType) => $api.queryOptions('get', COLUMNS, { params: { query: { type } } }),
  template: (type: ImportType, format: 'csv' | 'xlsx', tenantId: number) =>
    download(client.GET(TEMPLATE, { params: { query: { type, format, tenant_id: tenantId } }, ...FILE })),
  /** Errors of the rows, by reason and column. */
  errorGroups: (id: number) => $api.queryOptions('get', GROUPS, { params: { path: { id } } }),
  /** Imports the file of a dry run for its tenant; the user has confirmed the number of removals. */
  apply: ({ id, tenant, removals_to_confirm: removals }: Import) =>
    change(
      data(
        client.POST(APPLY, {
          params: { path: { id }, query: { tenant_id: tenant.id, ...(removals !== null && { confirm_removals: removals }) } },
        }),
      ),
    ),
  /** Undoes an import, or tries that in a dry run. */
  undo: (id: number, dry_run: boolean) => change(data(client.POST(UNDO, { params: { path: { id } }, body: { dry_run } }))),
  /** Results of the rows, with the given outcomes or all. */
  rows: (id: number, page: number, outcomes: readonly ImportRow['outcome'][]) =>
    $api.queryOptions(
      'get',
      ROWS,
      {
        params: {
          path: { id },
          query: {
            ...(outcomes.length > 0 && { 'filter[outcome]': [...outcomes] }),
            'page[number]': page,
            'page[size]': ERRORS_PAGE,
          },
        },
      },
      { placeholderData: keepPreviousData },
    ),
  /** Page of the results of all rows. */
  result: (id: number, page: number, filter: RowFilter) =>
    $api.queryOptions(
      'get',
      ROWS,
      {
        params: {
          path: { id },
          query: {
            ...(filter === 'much' ? { 'filter[price_change_greater_than]': [String(MUCH)] } : filter && { 'filter[outcome]': [filter] }),
            'page[number]': page,
            'page[size]': ROWS_PAGE,
          },
        },
      },
      { placeholderData: keepPreviousData },
    ),
  /** Imports refused rows with corrected cells, as a new import. */
  correct: (id: number, rows: ImportCorrectedRow[]) => change(data(client.POST(CORRECTIONS, { params: { path: { id } }, body: { rows } }))),
  stop: (id: number) => change(data(client.POST(STOP, { params: { path: { id } } }))),
  cancel: (id: number) => change(data(client.DELETE(IMPORT_PATH, { params: { path: { id } } }))),
  download(row: Import, fileKind: 'upload' | 'error') {
    const call = { params: { path: { id: row.id } }, ...FILE }
    return download(fileKind === 'upload' ? client.GET(`${IMPORT_PATH}/upload-file`, call) : client.GET(`${IMPORT_PATH}/error-file`, call))
  },
}
