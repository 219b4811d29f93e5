import { client, data, PATIENT } from '~/api/client'
import type {
  PriceAdjustmentImpactInput,
  PriceImpact,
  PriceListImpactInput,
  ProcessingPriceImpactInput,
  SurchargeTableImpactInput,
} from '~/api/schema'

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
  processingPrice:
    (body: ProcessingPriceImpactInput): AskImpact =>
    (signal) =>
      data(client.POST('/api/admin/processing-prices/impact', { body, headers: PATIENT, signal })),
  surchargeTable:
    (id: number, body: SurchargeTableImpactInput): AskImpact =>
    (signal) =>
      data(client.POST('/api/admin/surcharge-tables/{id}/impact', { params: { path: { id } }, body, headers: PATIENT, signal })),
  /** Of a dry run that is applied. */
  import:
    (id: number): AskImpact =>
    (signal) =>
      data(client.POST('/api/admin/imports/{id}/impact', { params: { path: { id } }, headers: PATIENT, signal })),
  /** Of the undo of an entry of the history. */
  undo:
    (id: number): AskImpact =>
    (signal) =>
      data(client.POST('/api/admin/audit/{id}/impact', { params: { path: { id } }, headers: PATIENT, signal })),
  /** Of the undo of all that a request has written. */
  undoRequest:
    (request_id: string): AskImpact =>
    (signal) =>
      data(client.POST('/api/admin/audit/impact', { body: { request_id }, headers: PATIENT, signal })),
}
