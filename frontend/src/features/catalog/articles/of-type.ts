import type { Filter } from '~/kit/table/list-state'

/** Returns the article type that the filters restrict the list to, if there is exactly one. */
export function typeOf(filters: readonly Filter[]): number | null {
  const filter = filters.find(({ field, op }) => field === 'article_type_id' && op === 'is')
  return filter?.values.length === 1 ? Number(filter.values[0]) : null
}
