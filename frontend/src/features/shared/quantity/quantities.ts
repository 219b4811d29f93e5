import { $api } from '~/api/client'
import type { QuantityInput } from '~/api/schema'
import type { EquivalentsQuery } from './quantity-field'

/** Query for a quantity of an article in its other units. */
export function quantitiesOf(article: number): EquivalentsQuery {
  const query = (body: QuantityInput) =>
    $api.queryOptions('post', '/api/admin/articles/{id}/quantities', { params: { path: { id: article } }, body }, { gcTime: 0 })
  return query as EquivalentsQuery
}
