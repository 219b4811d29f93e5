import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { CartDatesInput, EarliestDelivery } from '~/api/schema'
import { earliestDates } from '~/features/shared/destination/dates'
import { useDelivers, useDestination } from '~/features/shared/destination/use-destination'
import type { QuoteRequest } from './cart'

/** Request for the delivery dates of a cart's lines at a shipping node. */
export function toCartDatesInput({ body: { carts } }: QuoteRequest, to_node_id: number): CartDatesInput {
  const [cart] = carts
  return {
    to_node_id,
    seller_id: cart?.seller_id ?? null,
    at: cart?.at ?? null,
    lines: (cart?.lines ?? []).map(({ article_id, quantity, unit, warehouse_id, warehouse_short_code }) => ({
      article_id: article_id ?? 0,
      quantity,
      unit: unit ?? null,
      warehouse_id: warehouse_id ?? null,
      warehouse_short_code: warehouse_short_code ?? null,
    })),
  }
}

/** Delivery dates of a cart's lines at the chosen destination, by the keys of the form's lines. */
export function useCartDates(request: QuoteRequest | null): ReadonlyMap<string, EarliestDelivery> {
  const delivers = useDelivers()
  const [destination] = useDestination()
  const canRequest = delivers && destination !== null && request !== null
  const query = useQuery({
    ...earliestDates.cart(canRequest ? toCartDatesInput(request, destination) : { to_node_id: 0, lines: [] }),
    enabled: canRequest,
  })
  const dates = canRequest ? query.data?.data : undefined
  const keys = request?.keys
  return useMemo(() => new Map(dates?.map((date) => [keys?.[date.index] ?? '', date])), [dates, keys])
}
