import type { QuoteItem, QuoteStep } from '~/api/schema'
import { sumDecimals } from '~/lib/sum'

/** A step of the way from nothing to what a line costs; its ends are EUR. */
export interface Bar {
  key: string
  kind: 'base' | 'surcharge' | 'discount' | 'rounding' | 'total'
  from: string
  to: string
  amount: string
  /** Later percentages do not see it. */
  aside: boolean
  /** What the item of a base price is, and the adjustment of a step. */
  item: QuoteItem | null
  step: QuoteStep | null
}

/** Whether an adjustment has changed the price. */
export const isApplied = ({ outcome }: QuoteStep) => outcome === 'applied' || outcome === 'floored'

/** What a line costs: the articles, and what is done to them. */
export const lineTotal = (items: readonly QuoteItem[]): string => sumDecimals(items.map(({ total }) => total))

/**
 * Base price, adjustments and rounding of each item, one upon the other, and the total of the line. Each begins where the one before
 * it ends, and the last one ends at the total.
 */
export function barsOf(items: readonly QuoteItem[]): Bar[] {
  const bars: Bar[] = []
  let at = '0'
  const add = (part: Pick<Bar, 'key' | 'kind' | 'amount'> & Partial<Bar>) => {
    const to = sumDecimals([at, part.amount])
    bars.push({ from: at, to, aside: false, item: null, step: null, ...part })
    at = to
  }
  for (const [place, item] of items.entries()) {
    add({ key: `${place}`, kind: 'base', amount: item.base, item })
    for (const step of (item.explanation?.steps ?? []).filter(isApplied)) {
      add({ key: `${place}.${step.adjustment_id}`, kind: step.operation, amount: step.amount, aside: step.ignored_further, step })
    }
    const rounding = item.explanation?.rounding ?? '0'
    if (rounding !== '0') add({ key: `${place}.rounding`, kind: 'rounding', amount: rounding })
  }
  const total = lineTotal(items)
  return [...bars, { key: 'total', kind: 'total', from: '0', to: total, amount: total, aside: false, item: null, step: null }]
}
