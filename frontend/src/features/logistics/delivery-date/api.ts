import { $api } from '~/api/client'
import type { ItineraryInput, OrderDaysInput } from '~/api/schema'

/** Refresh interval in milliseconds, since an answer for now becomes outdated. */
const MINUTE = 60_000
const refetchOptions = (body: ItineraryInput | null) => ({
  refetchInterval: body && !body.at && !body.arrive_by ? MINUTE : (false as const),
})

export const deliveryDates = {
  itinerary: (body: ItineraryInput) => $api.queryOptions('post', '/api/admin/shipping/itineraries', { body }, refetchOptions(body)),
  orderDays: (body: OrderDaysInput) => $api.queryOptions('post', '/api/admin/shipping/order-days', { body }, refetchOptions(body)),
}
