import { change } from '~/api/change'
import { $api, client, data, LONG_TIMEOUT } from '~/api/client'
import { adjustmentOperationValues, calculationTypeValues } from '~/api/schema'
import { articleTypeRef } from '~/features/catalog/article-types/ref'
import { articleRef } from '~/features/catalog/articles/ref'
import { categoryRef } from '~/features/catalog/categories/ref'
import { materialRef } from '~/features/catalog/materials/ref'
import { partnerRef } from '~/features/exchange/partners/ref'
import { tenantGroupRef } from '~/features/identity/tenant-groups/ref'
import { warehouseRef } from '~/features/logistics/warehouses/ref'
import { surchargeTableRef } from '~/features/pricing/surcharge-tables/ref'
import { crud } from '~/kit/records/crud'
import type { ListState } from '~/kit/table/list-state'

const LIST = '/api/admin/price-adjustments'

/** Maximum number of adjustments of a tenant, which all fit on one page. */
const ALL = 200

const base = crud(LIST, {
  filters: {
    name: { kind: 'text' },
    active: { kind: 'bool' },
    operation: { kind: 'enum', values: adjustmentOperationValues },
    calculation_type: { kind: 'enum', values: calculationTypeValues },
    valid_from: { kind: 'date', optional: true },
    valid_until: { kind: 'date', optional: true },
    article_id: { kind: 'ref', source: articleRef, optional: true },
    article_type_id: { kind: 'ref', source: articleTypeRef, optional: true },
    category_id: { kind: 'ref', source: categoryRef(null), optional: true },
    material_id: { kind: 'ref', source: materialRef, optional: true },
    warehouse_id: { kind: 'ref', source: warehouseRef, optional: true },
    surcharge_table_id: { kind: 'ref', source: surchargeTableRef, optional: true },
    named_tenant_id: { kind: 'ref', source: partnerRef, optional: true },
    named_tenant_group_id: { kind: 'ref', source: tenantGroupRef, optional: true },
    updated_at: { kind: 'date' },
  },
  sorts: ['position', 'name', 'updated_at'],
  defaultSort: 'position',
  search: 'name',
})

/** True if the list is the whole chain in its order, which is required for reordering. */
export const isChain = ({ filters, sort }: Pick<ListState, 'filters' | 'sort'>) => filters.length === 0 && sort === 'position'

export const priceAdjustments = {
  ...base,
  list: (state: ListState) => base.list(isChain(state) ? { ...state, page: 1, size: ALL } : state),
  /**
   * Saves an order; `previousIds` is the order that the user saw, so that another user's order is not overwritten.
   */
  order: (ids: number[], previousIds: number[]) => change(data(client.PUT(`${LIST}/order`, { body: { ids, seen: previousIds } }))),
  /** Findings about the adjustments, for which the server calculates many carts. */
  findings: () => $api.queryOptions('get', `${LIST}/findings`, { headers: LONG_TIMEOUT }, { retry: false, staleTime: 60_000 }),
  activate: (id: number, version: number, active: boolean) =>
    change(data(client.PATCH(`${LIST}/{id}`, { params: { path: { id } }, body: { active, version } }))),
}
