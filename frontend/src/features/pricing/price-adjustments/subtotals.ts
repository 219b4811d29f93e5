import { queryOptions } from '@tanstack/react-query'
import { client, data } from '~/api/client'
import type { AdjustmentOutcome, AdjustmentReason, CartInput, PriceAdjustment, Quote, SampleCart } from '~/api/schema'
import { negated, sumDecimals } from '~/lib/sum'

/** Why an adjustment changes nothing of a cart. */
export type NotApplied = AdjustmentReason | Exclude<AdjustmentOutcome, 'applied' | 'floored'>

/** What a cart costs once an adjustment has been applied, and how much of that is its own; exact, in EUR. */
export interface Subtotal {
  total: string
  amount: string
  /** None of one that was applied to any item. */
  reason: NotApplied | null
}

/** Where items differ, the reason that could change is told before one that lies in what the adjustment is for. */
const TOLD: readonly NotApplied[] = ['conditions', 'no_table_value', 'no_weight', 'once_per_line', 'not_this_item']

/** Which adjustments are applied in which order, and in which version. */
export type Chain = readonly Pick<PriceAdjustment, 'id' | 'version'>[]

/**
 * The subtotals of a cart after each adjustment of the chain. They are added up exactly, as the cart is calculated: rounded, the last
 * one is the cart's total.
 */
export function subtotalsOf(quote: Quote, chain: Chain): ReadonlyMap<number, Subtotal> {
  const items = quote.lines.flatMap((line) => line.items)
  const steps = items.flatMap(({ explanation }) => explanation?.steps ?? [])
  const leftOut = new Map(quote.explanation?.adjustments.map(({ id, reason }) => [id, reason]))
  let total = sumDecimals([...items.map(({ exact }) => exact), ...steps.map(({ exact }) => negated(exact))])
  return new Map(
    chain.map(({ id }): [number, Subtotal] => {
      const own = steps.filter((step) => step.adjustment_id === id)
      const applied = own.some(({ outcome }) => outcome === 'applied' || outcome === 'floored')
      const amount = sumDecimals(own.map(({ exact }) => exact))
      total = sumDecimals([total, amount])
      const told = TOLD.find((reason) => own.some(({ outcome }) => outcome === reason))
      return [id, { total, amount, reason: applied ? null : (leftOut.get(id) ?? told ?? 'not_this_item') }]
    }),
  )
}

/** A sample cart as it is asked for. */
export const asked = ({ at, buyer_id, lines }: SampleCart): CartInput => ({
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

/** What a sample cart costs by a chain: by another one it is calculated anew. */
export const cartByChain = (id: number, chain: Chain) =>
  queryOptions({
    queryKey: ['sample cart by chain', id, chain.map((one) => `${one.id}.${one.version}`).join()],
    queryFn: async ({ signal }) => {
      const cart = await data(client.GET('/api/admin/sample-carts/{id}', { params: { path: { id } }, signal }))
      const [quote] = (await data(client.POST('/api/admin/quotes', { body: { carts: [asked(cart)], explain: true }, signal }))).data
      return quote ? { quote, subtotals: subtotalsOf(quote, chain) } : null
    },
  })
