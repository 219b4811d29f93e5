import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import type { QuantityEquivalents, Unit } from '~/api/schema'
import { useUnits } from '~/api/units'
import type { EquivalentsQuery } from './quantity-field'

const NEVER: EquivalentsQuery = () => ({ queryKey: ['no article'], queryFn: skipToken })

/** Units in which an article can be counted, given one of them. */
export function useArticleUnits(equivalentsQuery: EquivalentsQuery | undefined, unit: Unit | ''): Unit[] {
  const one = (equivalentsQuery ?? NEVER)({ amount: '1', unit: unit || 'piece' })
  // keeps the choices while another unit is selected
  const { data } = useQuery({ ...one, enabled: equivalentsQuery !== undefined && unit !== '', placeholderData: keepPreviousData })
  const relations = (data as QuantityEquivalents | undefined)?.relations ?? []
  const units = useUnits()
  const counted = [unit, ...relations.flatMap((relation) => [relation.of, relation.unit])]
  const categories = new Set(units.filter((one) => counted.includes(one.unit)).map(({ category }) => category))
  const offered = units.filter(({ category }) => categories.has(category)).map((one) => one.unit)
  return offered.length > 0 || !unit ? offered : [unit]
}
