import { change } from '~/api/change'
import { $api, client, data, LONG_TIMEOUT } from '~/api/client'
import {
  type PriceList,
  type PriceListCopy,
  type PriceListCopyPreview,
  type PriceListTimelineInput,
  priceListScopeValues,
  priceListStatusValues,
  priceListTypeValues,
} from '~/api/schema'
import { partnerRef } from '~/features/exchange/partners/ref'
import { tenantGroupRef } from '~/features/identity/tenant-groups/ref'
import { tenantRef } from '~/features/identity/tenants/ref'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { crud } from '~/kit/records/crud'
import { type Bulk, bulkParams, bulkRemove } from '~/kit/records/selection/bulk'
import type { Exporter } from '~/kit/table/exporter'
import type { ListState } from '~/kit/table/list-state'
import type { BulkSelection } from '~/kit/table/selection/use-selection'

const LIST = '/api/admin/price-lists'
const ONE = `${LIST}/{id}` as const
const at = (id: number) => ({ path: { id } })

/** True if a list can be deleted: one that has ever been valid can only be archived. */
export const deletable = (row: PriceList) => row.writable && row.status === 'pending'

/** Leaves out archived lists unless the filters ask for a status. */
const current = (state: ListState): ListState =>
  state.filters.some(({ field }) => field === 'status')
    ? state
    : { ...state, filters: [...state.filters, { field: 'status', op: 'ne', values: ['inactive'] }] }

const base = crud(LIST, {
  filters: {
    name: { kind: 'text' },
    customer_name: { kind: 'text', optional: true },
    status: { kind: 'enum', values: priceListStatusValues },
    type: { kind: 'enum', values: priceListTypeValues },
    scope: { kind: 'enum', values: priceListScopeValues },
    valid_from: { kind: 'date' },
    valid_until: { kind: 'date', optional: true },
    owner_tenant_id: { kind: 'ref', source: tenantRef, optional: true },
    owner_tenant_group_id: { kind: 'ref', source: tenantGroupRef, optional: true },
    tenant_id: { kind: 'ref', source: partnerRef, optional: true },
    tenant_group_id: { kind: 'ref', source: tenantGroupRef, optional: true },
    excluded_tenant_id: { kind: 'ref', source: partnerRef, optional: true },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'valid_from', 'valid_until', 'updated_at'],
  defaultSort: 'name',
  search: 'name',
})

const remove = bulkRemove(LIST, base.spec, false)

export const priceLists = {
  ...base,
  // deletes only what the list shows
  bulk: { remove: (state, selection, confirm) => remove(current(state), selection, confirm) } satisfies Bulk,
  /** Impact of deleting many lists. */
  deletions: (state: ListState, selection: BulkSelection) =>
    impactOf.listDeletions(bulkParams(base.spec, current(state), selection).query, selection),
  list: (state: ListState) => base.list(current(state)),
  export: ((state, format) => base.export(current(state), format)) satisfies Exporter,
  archive: (id: number, version: number) => change(data(client.POST(`${ONE}/archive`, { params: at(id), body: { version } }))),
  copy: (id: number, body: PriceListCopy) => change(data(client.POST(`${ONE}/copy`, { params: at(id), body, headers: LONG_TIMEOUT }))),
  previewCopy: (id: number, body: PriceListCopyPreview) =>
    $api.queryOptions('post', `${ONE}/copy/preview`, { params: at(id), body, headers: LONG_TIMEOUT }),
  timeline: (body: PriceListTimelineInput) => $api.queryOptions('post', `${LIST}/timeline`, { body }),
  audience: (id: number) => $api.queryOptions('get', `${ONE}/audience`, { params: at(id) }),
}
