import { useTranslation } from 'react-i18next'
import type { Attribute } from '~/api/schema'
import { useUnits } from '~/api/units'

/** Details of an attribute by its type: its options, or its unit category and unit. */
export function TypeDetail({ row }: { row: Attribute }) {
  const { t } = useTranslation('attributes')
  const units = useUnits()
  if (row.type === 'categorial') {
    const names = row.options.slice(0, 4).map((option) => option.display_value ?? option.name)
    return names.join(', ') + (row.options.length > 4 ? ` ${t('moreOptions', { count: row.options.length - 4 })}` : '')
  }
  if (row.type === 'custom' || !row.unit_category) return t('freeText')
  const unit = units.find((one) => one.unit === row.default_unit)
  return t(`enums.unit_category.${row.unit_category}`) + (unit ? ` (${unit.symbol})` : '')
}
