import { queryOptions } from '@tanstack/react-query'
import { client, data } from '~/api/client'
import type { Itinerary, ItineraryInput, OrderDays, OrderDaysInput } from '~/features/logistics/shared/shipping-wire'

// until the contract has them
const post = client.POST as unknown as (path: string, init: object) => Promise<{ data?: unknown }>

/** An answer for now becomes another one as time goes by. */
const MINUTE = 60_000
const following = (body: ItineraryInput | null) => ({ refetchInterval: body && !body.at && !body.arrive_by ? MINUTE : (false as const) })

export const deliveryDates = {
  itinerary: (body: ItineraryInput) =>
    queryOptions({
      queryKey: ['post', '/api/admin/shipping/itineraries', { body }],
      queryFn: async ({ signal }) => (await data(post('/api/admin/shipping/itineraries', { body, signal }))) as Itinerary,
      ...following(body),
    }),
  orderDays: (body: OrderDaysInput) =>
    queryOptions({
      queryKey: ['post', '/api/admin/shipping/order-days', { body }],
      queryFn: async ({ signal }) => (await data(post('/api/admin/shipping/order-days', { body, signal }))) as OrderDays,
      ...following(body),
    }),
}
