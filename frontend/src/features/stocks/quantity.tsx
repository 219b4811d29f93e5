import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import type { Unit } from '~/api/schema'
import { useUnits } from '~/api/units'
import { QuantityField } from '~/kit/form/quantity-field'
import { stocks } from './api'
import type { StockBody, StockForm } from './schema'

/** The units of an article that is counted in one of them. */
function useCountedIn(article: number | null, unit: Unit | ''): Unit[] {
  const one = stocks.quantities(article ?? 0)({ amount: '1', unit: unit || 'piece' })
  const known = article !== null && unit !== ''
  // the choice stays as it is while another unit is chosen
  const { data } = useQuery({ ...one, enabled: known, placeholderData: keepPreviousData })
  const relations = data?.relations ?? []
  const units = useUnits()
  const counted = [unit, ...relations.flatMap((relation) => [relation.of, relation.unit])]
  const categories = new Set(units.filter((one) => counted.includes(one.unit)).map(({ category }) => category))
  const offered = units.filter(({ category }) => categories.has(category)).map((one) => one.unit)
  return offered.length > 0 || !unit ? offered : [unit]
}

/** How much there is, in any unit of the article; nothing where that is not what is available. */
export function StockQuantity({ control }: { control: Control<StockForm, unknown, StockBody> }) {
  const [article, availability, unit] = useWatch({ control, name: ['article_id', 'availability_type', 'quantity_unit'] })
  const units = useCountedIn(article, unit)
  const ask = useMemo(() => (article === null ? undefined : stocks.quantities(article)), [article])
  if (availability !== 'quantity') return null
  return <QuantityField control={control} name="quantity" unit="quantity_unit" units={units} ask={ask} required />
}
