import { $api } from '~/api/client'
import { priceListRef } from '~/features/pricing/price-lists/ref'

/** Price lists of a tenant that a file can be imported into. */
export const fillableLists = (tenantId: number): typeof priceListRef => ({
  ...priceListRef,
  find: (typed) =>
    $api.queryOptions('get', '/api/admin/price-lists', {
      params: {
        query: {
          'page[size]': 20,
          sort: 'name',
          filter: {
            'filter[owner_tenant_id]': tenantId,
            'filter[status]': ['pending', 'active'],
            ...(typed && { 'filter[name]': typed }),
          },
        },
      },
    }) as never,
})
