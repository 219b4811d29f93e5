import { client, data, PATIENT } from '~/api/client'
import type { PriceAdjustmentImpactInput, PriceImpact, PriceListImpactInput } from '~/api/schema'

/** Asks the server what a change would do; nothing is saved. */
export type AskImpact = (signal: AbortSignal) => Promise<PriceImpact>

export const impactOf = {
  adjustment:
    (body: PriceAdjustmentImpactInput): AskImpact =>
    (signal) =>
      data(client.POST('/api/admin/price-adjustments/impact', { body, headers: PATIENT, signal })),
  list:
    (id: number, body: PriceListImpactInput): AskImpact =>
    (signal) =>
      data(client.POST('/api/admin/price-lists/{id}/impact', { params: { path: { id } }, body, headers: PATIENT, signal })),
}
