import { queryOptions } from '@tanstack/react-query'
import { client, data } from '~/api/client'
import type { AdjustmentOutcome, AdjustmentReason, CartInput, PriceAdjustment, Quote, SampleCart } from '~/api/schema'
import { negated, sumDecimals } from '~/lib/sum'

/** Reason why an adjustment does not change a cart. */
export type NotApplied = AdjustmentReason | Exclude<AdjustmentOutcome, 'applied' | 'floored'>

/** Total of a cart after an adjustment, and the amount that the adjustment added; exact, in EUR. */
export interface Subtotal {
  total: string
  amount: string
  /** Reason why it was applied to none of the items; null if it was applied to any. */
  reason: NotApplied | null
}

/**
 * Reasons by precedence, for items that differ: those that may change come before those that follow from the
 * adjustment's target.
 */
const REPORTED_REASONS: readonly NotApplied[] = ['conditions', 'no_table_value', 'no_weight', 'once_per_line', 'not_this_item']

/** Adjustments in the order of their application, with their versions. */
export type Chain = readonly Pick<PriceAdjustment, 'id' | 'version'>[]

/**
 * Subtotals of a cart after each adjustment of the chain. They are added up exactly, like the cart itself:
 * rounded, the last one is the cart's total.
 */
export function subtotalsOf(quote: Quote, chain: Chain): ReadonlyMap<number, Subtotal> {
  const items = quote.lines.flatMap((line) => line.items)
  const steps = items.flatMap(({ explanation }) => explanation?.steps ?? [])
  const leftOut = new Map(quote.explanation?.adjustments.map(({ id, reason }) => [id, reason]))
  let total = sumDecimals([...items.map(({ exact }) => exact), ...steps.map(({ exact }) => negated(exact))])
  return new Map(
    chain.map(({ id }): [number, Subtotal] => {
      const ownSteps = steps.filter((step) => step.adjustment_id === id)
      const applied = ownSteps.some(({ outcome }) => outcome === 'applied' || outcome === 'floored')
      const amount = sumDecimals(ownSteps.map(({ exact }) => exact))
      total = sumDecimals([total, amount])
      const mainReason = REPORTED_REASONS.find((reason) => ownSteps.some(({ outcome }) => outcome === reason))
      return [id, { total, amount, reason: applied ? null : (leftOut.get(id) ?? mainReason ?? 'not_this_item') }]
    }),
  )
}

/** Converts a sample cart to a request for its quote. */
export const sampleCartRequest = ({ at, buyer_id, lines }: SampleCart): CartInput => ({
  at,
  buyer_id,
  as_customer: false,
  lines: lines.map(({ article_id, article, quantity, unit, warehouse_id, processings }) => ({
    article_id,
    quantity,
    unit: unit ?? article?.listing_unit ?? null,
    warehouse_id,
    processings,
  })),
})

/** Quote of a sample cart; the chain is part of the cache key, so that a changed chain requests it again. */
export const cartByChain = (id: number, chain: Chain) =>
  queryOptions({
    queryKey: ['sample cart by chain', id, chain.map((one) => `${one.id}.${one.version}`).join()],
    queryFn: async ({ signal }) => {
      const cart = await data(client.GET('/api/admin/sample-carts/{id}', { params: { path: { id } }, signal }))
      const [quote] = (await data(client.POST('/api/admin/quotes', { body: { carts: [sampleCartRequest(cart)], explain: true }, signal })))
        .data
      return quote ? { quote, subtotals: subtotalsOf(quote, chain) } : null
    },
  })
