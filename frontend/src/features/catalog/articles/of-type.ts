import type { Filter } from '~/kit/table/list-state'

/** The one type whose articles the filters let through, if it is one: then their attributes are known. */
export function typeOf(filters: readonly Filter[]): number | null {
  const filter = filters.find(({ field, op }) => field === 'article_type_id' && op === 'is')
  return filter?.values.length === 1 ? Number(filter.values[0]) : null
}
