import { useQuery } from '@tanstack/react-query'
import type { ArticleRow, Unit } from '~/api/schema'
import { unitOptions } from '~/features/attributes/api'
import { useFormat } from '~/i18n/use-format'

/** "kg/m"; kilograms alone as long as nobody knows of what. */
export function useWeightUnit(base: Unit | undefined): string {
  const symbol = useQuery(unitOptions()).data?.data.find((one) => one.unit === base)?.symbol
  return symbol ? `kg/${symbol}` : 'kg'
}

export function useWeight({ weight_per_base_unit, article_type }: Pick<ArticleRow, 'weight_per_base_unit' | 'article_type'>): string {
  const format = useFormat()
  const unit = useWeightUnit(article_type.base_unit_of_measure)
  return weight_per_base_unit ? `${format.decimal(weight_per_base_unit)}\u00a0${unit}` : ''
}

export const WeightText = ({ row }: { row: ArticleRow }) => useWeight(row)
