import { client, data, PATIENT } from '~/api/client'
import type {
  BulkHeldPriceChange,
  PriceAdjustmentImpactInput,
  PriceImpact,
  PriceListImpactInput,
  PricesImpactInput,
  ProcessingPriceImpactInput,
  Selection,
  SurchargeTableImpactInput,
} from '~/api/schema'

/** The filters of a list, as the server reads them. */
type Query = Record<string, unknown>

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
  /** Of the deletion of many lists. */
  listDeletions:
    (query: Query, body: Selection): AskImpact =>
    (signal) =>
      data(client.POST('/api/admin/price-lists/bulk-delete/impact', { params: { query }, body, headers: PATIENT, signal })),
  /** Of prices of stocks. */
  prices:
    (body: PricesImpactInput): AskImpact =>
    (signal) =>
      data(client.POST('/api/admin/prices/impact', { body, headers: PATIENT, signal })),
  /** Of a decision about prices that wait for a release. */
  heldPrices:
    (query: Query, body: BulkHeldPriceChange): AskImpact =>
    (signal) =>
      data(client.POST('/api/admin/held-prices/bulk-change/impact', { params: { query }, body, headers: PATIENT, signal })),
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
