import type { QuoteItem, QuoteStep } from '~/api/schema'
import { sumDecimals } from '~/lib/sum'

/** Step from zero to the total of a line; its ends are in EUR. */
export interface PriceBar {
  key: string
  kind: 'base' | 'surcharge' | 'discount' | 'rounding' | 'total'
  from: string
  to: string
  amount: string
  /** True if later percentages ignore the step. */
  isIgnoredLater: boolean
  /** Item, for a base price; `step` is the adjustment, for other steps. */
  item: QuoteItem | null
  step: QuoteStep | null
}

/** True if an adjustment has changed the price. */
export const isApplied = ({ outcome }: QuoteStep) => outcome === 'applied' || outcome === 'floored'

/** Total of a line: the articles and their processings. */
export const lineTotal = (items: readonly QuoteItem[]): string => sumDecimals(items.map(({ total }) => total))

/**
 * Bars for the base price, the adjustments and the rounding of each item, and for the total of the line.
 * Each starts where the previous one ends; the last one ends at the total.
 */
export function barsOf(items: readonly QuoteItem[]): PriceBar[] {
  const bars: PriceBar[] = []
  let at = '0'
  const add = (part: Pick<PriceBar, 'key' | 'kind' | 'amount'> & Partial<PriceBar>) => {
    const to = sumDecimals([at, part.amount])
    bars.push({ from: at, to, isIgnoredLater: false, item: null, step: null, ...part })
    at = to
  }
  for (const [place, item] of items.entries()) {
    add({ key: `${place}`, kind: 'base', amount: item.base, item })
    for (const step of (item.explanation?.steps ?? []).filter(isApplied)) {
      add({ key: `${place}.${step.adjustment_id}`, kind: step.operation, amount: step.amount, isIgnoredLater: step.ignored_further, step })
    }
    const rounding = item.explanation?.rounding ?? '0'
    if (rounding !== '0') add({ key: `${place}.rounding`, kind: 'rounding', amount: rounding })
  }
  const total = lineTotal(items)
  return [...bars, { key: 'total', kind: 'total', from: '0', to: total, amount: total, isIgnoredLater: false, item: null, step: null }]
}
