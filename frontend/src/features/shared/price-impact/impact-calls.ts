import { client, data, LONG_TIMEOUT } from '~/api/client'
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

/** Filters of a list as the API expects them. */
type Query = Record<string, unknown>

/** Requests the impact of a change; nothing is saved. */
export type ImpactRequest = (signal: AbortSignal) => Promise<PriceImpact>

export const impactOf = {
  adjustment:
    (body: PriceAdjustmentImpactInput): ImpactRequest =>
    (signal) =>
      data(client.POST('/api/admin/price-adjustments/impact', { body, headers: LONG_TIMEOUT, signal })),
  list:
    (id: number, body: PriceListImpactInput): ImpactRequest =>
    (signal) =>
      data(client.POST('/api/admin/price-lists/{id}/impact', { params: { path: { id } }, body, headers: LONG_TIMEOUT, signal })),
  /** Impact of deleting many lists. */
  listDeletions:
    (query: Query, body: Selection): ImpactRequest =>
    (signal) =>
      data(client.POST('/api/admin/price-lists/bulk-delete/impact', { params: { query }, body, headers: LONG_TIMEOUT, signal })),
  /** Impact of changed prices of stocks. */
  prices:
    (body: PricesImpactInput): ImpactRequest =>
    (signal) =>
      data(client.POST('/api/admin/prices/impact', { body, headers: LONG_TIMEOUT, signal })),
  /** Impact of a decision about prices under review. */
  heldPrices:
    (query: Query, body: BulkHeldPriceChange): ImpactRequest =>
    (signal) =>
      data(client.POST('/api/admin/held-prices/bulk-change/impact', { params: { query }, body, headers: LONG_TIMEOUT, signal })),
  processingPrice:
    (body: ProcessingPriceImpactInput): ImpactRequest =>
    (signal) =>
      data(client.POST('/api/admin/processing-prices/impact', { body, headers: LONG_TIMEOUT, signal })),
  surchargeTable:
    (id: number, body: SurchargeTableImpactInput): ImpactRequest =>
    (signal) =>
      data(client.POST('/api/admin/surcharge-tables/{id}/impact', { params: { path: { id } }, body, headers: LONG_TIMEOUT, signal })),
  /** Impact of applying a dry run. */
  import:
    (id: number): ImpactRequest =>
    (signal) =>
      data(client.POST('/api/admin/imports/{id}/impact', { params: { path: { id } }, headers: LONG_TIMEOUT, signal })),
  /** Impact of undoing a history entry. */
  undo:
    (id: number): ImpactRequest =>
    (signal) =>
      data(client.POST('/api/admin/audit/{id}/impact', { params: { path: { id } }, headers: LONG_TIMEOUT, signal })),
  /** Impact of undoing everything that a request has written. */
  undoRequest:
    (request_id: string): ImpactRequest =>
    (signal) =>
      data(client.POST('/api/admin/audit/impact', { body: { request_id }, headers: LONG_TIMEOUT, signal })),
}
