/** Shapes of the contract, until `api/schema.ts` has them. */
export interface NodeName {
  id: number
  name: string
}

export interface ShippingLegEnd {
  id: number
  node: NodeName
  travel_duration: number
  departures_per_week: number
}

export interface ShippingNode {
  id: number
  name: string
  address: string | null
  latitude: string | null
  longitude: string | null
  active: boolean
  warehouse: { id: number; short_code: string; name: string } | null
  region: string | null
  incoming_legs: ShippingLegEnd[]
  outgoing_legs: ShippingLegEnd[]
  version: number
  created_at: string
  updated_at: string
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
