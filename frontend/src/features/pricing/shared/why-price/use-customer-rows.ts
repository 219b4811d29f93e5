import { useTranslation } from 'react-i18next'
import type { Quantity, QuoteLine } from '~/api/schema'
import { barsOf } from './bars'
import { useSentences } from './use-sentences'

/** Step of a price as a customer reads it. */
export interface CustomerRow {
  key: string
  label: string
  amount: string
  description: string
  isTotal: boolean
}

/** Converts a line quoted for a customer to rows of plain text, for the screen, for print and for a mail. */
export function useCustomerRows(): (line: QuoteLine, quantity: Quantity) => CustomerRow[] {
  const { t } = useTranslation('whyPrice')
  const sentences = useSentences()
  return (line, quantity) => {
    const price = line.explanation?.price ?? null
    const [onlyItem] = line.items
    const bars = barsOf(line.items).map(({ key, kind, amount, item, step }): CustomerRow => {
      const row = (label: string, description: string): CustomerRow => {
        const whole = kind === 'total' || kind === 'base'
        return { key, label, amount: whole ? sentences.euro(amount) : sentences.signed(amount), description, isTotal: kind === 'total' }
      }
      if (step) return row(step.name, sentences.step(step))
      if (item?.type === 'processing') {
        const processingPrice = item.explanation?.processing_price
        return row(t('bar.processing'), processingPrice ? sentences.processing(processingPrice) : '')
      }
      if (item) return row(t('bar.base'), price ? sentences.base(price, quantity) : '')
      if (kind === 'rounding') return row(t('bar.rounding'), t('rounding'))
      return row(t('bar.total'), line.items.length > 1 ? t('total.items') : sentences.total(amount, onlyItem?.exact ?? null))
    })
    const first = price && { key: 'price', label: t('price.title'), amount: '', description: sentences.price(price), isTotal: false }
    return first ? [first, ...bars] : bars
  }
}

/** Returns the reasons why a line quoted for a customer has no price; empty if it has one. */
export function useReasons(): (line: QuoteLine) => string[] {
  const { t } = useTranslation('whyPrice')
  return ({ errors, explanation }) => {
    if (errors.length === 0) return []
    const lists = explanation?.lists ?? []
    return [
      ...errors.map(({ message }) => message),
      // the list with the price gives no reason
      ...lists.flatMap(({ name, outcome }) => (outcome === 'won' ? [] : [`${name}: ${t(`sources.list.${outcome}`)}`])),
    ]
  }
}
