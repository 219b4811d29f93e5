import { useTranslation } from 'react-i18next'
import type { CalculationType, PriceAdjustment } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { formatDecimal } from '~/lib/decimal'

/** Unit that follows the value of an adjustment. */
export const UNITS: Record<CalculationType, string> = {
  absolute: '€',
  perKg: '€/kg',
  perTon: '€/t',
  relativeToAdjusted: '%',
  relativeToBase: '%',
}

/** Formats the value of an adjustment with its sign and unit; if a table gives the value, only the sign. */
export function useAdjustmentValueText() {
  const { t } = useTranslation('priceAdjustments')
  const { lang } = useFormat()
  return ({ operation, calculation_type: type, value }: Pick<PriceAdjustment, 'operation' | 'calculation_type' | 'value'>) => {
    const percent = UNITS[type] === '%'
    const sign = operation === 'discount' ? '\u2212' : '+'
    if (value === null) return { amount: sign, basis: t('of.table') }
    const amount = `${sign}${formatDecimal(value, lang, 4, true, percent ? 0 : 2)}\u00a0${UNITS[type]}`
    return { amount, basis: t(`of.${type}`) }
  }
}
