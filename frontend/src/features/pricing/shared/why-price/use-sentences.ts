import { useTranslation } from 'react-i18next'
import type { PriceExplanation, Quantity, QuoteConversion, QuoteProcessingPrice, QuoteStep } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useMoneyText } from '~/features/shared/money/use-money-text'
import { useFormat } from '~/i18n/use-format'
import { compareDecimals, formatDecimal } from '~/lib/decimal'

/** Functions that put each step of an explanation into a sentence. */
export function useSentences() {
  const { t } = useTranslation('whyPrice')
  const { lang, decimal } = useFormat()
  const symbol = useUnitSymbols()
  const money = useMoneyText()
  const euro = (amount: string) => `${formatDecimal(amount, lang, 2, true, 2)}\u00a0€`
  /** Formats an amount with all significant digits. */
  const exactEuro = (amount: string) => `${formatDecimal(amount, lang, 15, true, 2)}\u00a0€`
  const quantity = ({ amount, unit }: Quantity) => `${decimal(amount)}\u00a0${symbol(unit)}`

  return {
    euro,
    signed: (amount: string) => (amount.startsWith('-') || amount === '0' ? euro(amount) : `+${euro(amount)}`).replace('-', '\u2212'),

    /** Price with its unit, and the quantity from which it applies. */
    price: ({ price, quantity_from, quantity_unit }: PriceExplanation): string =>
      quantity_from === null
        ? t('price.plain', { price: money(price) })
        : t('price.tier', { price: money(price), from: quantity({ amount: quantity_from, unit: quantity_unit }) }),

    conversion: ({ amount, unit, to_amount, to_unit, because }: QuoteConversion): string => {
      const params = { quantity: quantity({ amount, unit }), is: quantity({ amount: to_amount, unit: to_unit }) }
      if (!because) return t('conversion.units', params)
      const one = quantity({ amount: '1', unit: because.of_unit })
      return t('conversion.article', { ...params, one, known: quantity({ amount: because.is_amount, unit: because.is_unit }) })
    },

    base: ({ price, amount, exact, conversions }: PriceExplanation, requested: Quantity): string => {
      const last = conversions.at(-1)
      const pricedQuantity = last ? { amount: last.to_amount, unit: last.to_unit } : requested
      const params = { quantity: quantity(pricedQuantity), price: money(price), amount: euro(amount) }
      return isExact(amount, exact) ? t('base.exact', params) : t('base.rounded', { ...params, exact: exactEuro(exact) })
    },

    /** Price of a processing and its source. */
    processing: ({ source, price }: QuoteProcessingPrice): string => t(`base.processing.${source}`, { price: money(price) }),

    step: ({ operation, calculation_type, value, basis, basis_unit, ignored_further, outcome }: QuoteStep): string => {
      const relative = calculation_type === 'relativeToBase' || calculation_type === 'relativeToAdjusted'
      const amount = value ?? '0'
      const sentence = t(`step.${operation}.${calculation_type}`, {
        value: relative ? `${decimal(amount)}\u00a0%` : exactEuro(amount),
        basis: basis === null ? '' : basis_unit ? quantity({ amount: basis, unit: basis_unit }) : euro(basis),
      })
      return [sentence, outcome === 'floored' && t('step.floored'), ignored_further && t('step.aside')].filter(Boolean).join(' ')
    },

    total: (total: string, exact: string | null): string =>
      exact === null || isExact(total, exact) ? t('total.exact') : t('total.rounded', { exact: exactEuro(exact) }),

    margin: ({ price }: PriceExplanation, margin: { amount: string; percent: string | null } | null): string => {
      const params = { price: money(price) }
      if (!margin) return t('cost.plain', params)
      const amount = margin.amount.replace('-', '')
      if (margin.amount.startsWith('-')) return t('cost.loss', { ...params, amount: euro(amount) })
      return t('cost.margin', { ...params, amount: euro(amount), percent: margin.percent === null ? '0' : decimal(margin.percent, 2) })
    },
  }
}

/** True if nothing was rounded. */
const isExact = (amount: string, exact: string) => compareDecimals(amount, exact) === 0
