import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Article, ArticleRow, Shape, Unit } from '~/api/schema'
import { useUnits } from '~/api/units'
import { materialRef } from '~/features/catalog/materials/ref'
import { useFormat } from '~/i18n/use-format'
import { Aligned } from '~/kit/table/aligned'

/** Unit of a weight, such as "kg/m"; "kg" while the base unit is unknown. */
export function useWeightUnit(base: Unit | undefined): string {
  const symbol = useUnits().find((one) => one.unit === base)?.symbol
  return symbol ? `kg/${symbol}` : 'kg'
}

/** Usual name of a weight per base unit: "Metergewicht", "Gewicht je m²". */
export function useWeightLabel(base: Unit | undefined): string {
  const { t } = useTranslation('articles')
  const symbol = useUnits().find((one) => one.unit === base)?.symbol
  if (!symbol) return t('fields.weight_per_base_unit')
  return base === 'm' ? t('weightPer.length') : t('weightPer.other', { unit: symbol })
}

type WeightFields = Pick<ArticleRow, 'weight_per_base_unit' | 'article_type'>

export function useWeight({ weight_per_base_unit, article_type }: WeightFields): string {
  const format = useFormat()
  const unit = useWeightUnit(article_type.base_unit_of_measure)
  return weight_per_base_unit ? `${format.decimal(weight_per_base_unit)}\u00a0${unit}` : ''
}

/** Weight for a column, with decimal points and units aligned. */
export function WeightText({ row: { weight_per_base_unit, article_type } }: { row: ArticleRow }) {
  const unit = useWeightUnit(article_type.base_unit_of_measure)
  if (!weight_per_base_unit) return null
  return (
    <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
      <Aligned value={weight_per_base_unit} fraction={3} />{' '}
      <Box component="span" sx={{ display: 'inline-block', minWidth: { md: '3em' }, textAlign: 'start' }}>
        {unit}
      </Box>
    </Box>
  )
}

/** Text that says what a weight is computed from if none is entered. */
export function useWeightFrom(section: Shape | null | undefined): string {
  const { t } = useTranslation('articles')
  return t(section ? 'from.section' : 'from.values')
}

/** Text that says where the weight of a read-only article comes from. */
export function useWeightSource({ section, weight_per_base_unit, weight_per_base_unit_overridden }: Article): string {
  const { t } = useTranslation('articles')
  const from = useWeightFrom(section)
  if (weight_per_base_unit === null) return ''
  return weight_per_base_unit_overridden ? t('from.own') : from
}

interface WeightHelpOptions {
  section: Shape | null | undefined
  materialId: number | null
  /** Entered weight; `null` if it is computed. */
  own: string | null
  /** Computed weight. */
  computedWeight: string | null
  unit: string
}

/**
 * Help text that says where a weight comes from, which weight would be computed instead, or why none can be.
 */
export function useWeightHelp({ section, materialId, own, computedWeight, unit }: WeightHelpOptions): string {
  const { t } = useTranslation('articles')
  const format = useFormat()
  const from = useWeightFrom(section)
  const needsMaterial = Boolean(section) && computedWeight === null && materialId !== null
  const material = useQuery({ ...materialRef.one(materialId ?? 0), enabled: needsMaterial }).data
  if (computedWeight !== null) {
    return own === null ? '' : t('weight.instead', { from, weight: `${format.decimal(computedWeight)}\u00a0${unit}` })
  }
  const why = !section
    ? t('weight.noValues')
    : materialId === null
      ? t('weight.noMaterial')
      : material?.density === null
        ? t('weight.noDensity', { material: materialRef.label(material) })
        : t('weight.noDimensions')
  return own === null ? why : `${t('from.own')}. ${why}`
}
