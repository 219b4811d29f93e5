import type { Holiday, Readiness, Region, Unit, Weekday } from '~/api/schema'

/** Shapes of the contract, until `api/schema.ts` has them. */
export interface NodeName {
  id: number
  name: string
}

export interface ShippingFinding {
  type:
    | 'unreachable_node'
    | 'isolated_warehouse'
    | 'leg_without_departures'
    | 'long_transfer'
    | 'no_return_leg'
    | 'coordinates_elsewhere'
    | 'unreachable_departure'
  node: NodeName | null
  leg: NodeName | null
  other_leg: NodeName | null
  departure: { weekday: string; time: string } | null
  hours: number | null
  country: string | null
}

export interface SkipReason {
  code: 'missed' | 'not_in_working_week' | 'public_holiday' | 'closed' | 'dropped'
  minutes: number | null
  weekday: Weekday | null
  holiday: Holiday | null
  name: string | null
  region: Region | null
}

export interface SkippedDeparture {
  date: string
  time: string
  reason: SkipReason
}

export type ItineraryActivity =
  | 'waiting_for_departure'
  | 'waiting_after_order_time'
  | 'preparation'
  | 'loading'
  | 'travel'
  | 'waiting_for_opening'
  | 'unloading'

export interface ItineraryStage {
  activity: ItineraryActivity
  begins_at: string
  ends_at: string
  leg: { id: number; sending_node: NodeName; receiving_node: NodeName }
  departure: { date: string; time: string } | null
  order_time: string | null
  reason: SkipReason | null
  skipped: SkippedDeparture[]
}

export interface OrderBy {
  at: string
  is_inclusive: boolean
}

export interface ItineraryAlternative {
  arrives_at: string
  order_by: OrderBy
}

export interface NoWay {
  reason: 'inactive' | 'not_connected' | 'no_departure' | 'no_stock' | 'not_asked' | 'no_node'
  node: NodeName | null
}

export interface Itinerary {
  ordered_at: string | null
  from_node: NodeName | null
  to_node: NodeName
  warehouse: { id: number; short_code: string; name: string | null } | null
  lead_time: number | null
  in_stock_at: string | null
  readiness: Readiness | null
  available_at: string | null
  stages: ItineraryStage[]
  arrives_at: string | null
  order_by: OrderBy | null
  earlier: ItineraryAlternative | null
  later: ItineraryAlternative | null
  no_way: NoWay | null
  time_zone: string
}

export interface ItineraryFrom {
  node_id?: number | null
  warehouse_id?: number | null
  article_id?: number | null
  quantity?: string | null
  unit?: Unit | null
  seller_id?: number | null
}

export interface OrderDaysInput {
  from: ItineraryFrom
  to_node_id: number
  at?: string | null
}

export interface ItineraryInput extends OrderDaysInput {
  arrive_by?: string | null
}

export interface OrderDay {
  date: string
  orders: ItineraryAlternative[]
}

export interface OrderDays {
  days: OrderDay[]
}
