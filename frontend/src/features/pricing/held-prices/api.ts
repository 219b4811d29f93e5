import { change } from '~/api/change'
import { client, data } from '~/api/client'
import type { BulkHeldPriceChange, HeldPriceDecision } from '~/api/schema'
import { type ImpactRequest, impactOf } from '~/features/shared/price-impact/impact-calls'
import type { Bulk, BulkFieldChange } from '~/kit/records/selection/bulk'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { base, HELD_PRICES_PATH } from './base'

const decisionOf = (id: number, value: HeldPriceDecision): BulkHeldPriceChange => ({
  selection: { ids: [id], count: 1 },
  change: { field: 'decision', value },
})

/** True if a decision changes prices; a refusal does not. */
const changesPrices = (changed: BulkFieldChange) => changed.value !== 'refuse'

const question = { isAsked: changesPrices, View: lazyWithTexts(() => import('./release-impact'), 'priceImpact') }

export const heldPrices = {
  ...base,
  bulk: { ...(base.bulk.change && { change: { ...base.bulk.change, question } }) } satisfies Bulk,
  decide: (id: number, value: HeldPriceDecision) =>
    change(data(client.POST(`${HELD_PRICES_PATH}/bulk-change`, { body: decisionOf(id, value) }))),
  /** Impact of a decision about one row; null if it changes no price. */
  impact: (id: number, value: HeldPriceDecision): ImpactRequest | null => {
    const body = decisionOf(id, value)
    return changesPrices(body.change) ? impactOf.heldPrices({}, body) : null
  },
}
