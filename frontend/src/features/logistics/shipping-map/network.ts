import type { ShippingFinding, ShippingNode } from '~/api/schema'
import type { GeoPoint } from './view'

export type NodeState = 'reachable' | 'unreachable' | 'inactive'
export type LegState = 'running' | 'without_departures' | 'inactive'

export interface MapNode {
  id: number
  name: string
  state: NodeState
  /** Warehouse at the node, if the user can see it. */
  warehouse: string | null
  place: GeoPoint | null
  incoming: MapLeg[]
  outgoing: MapLeg[]
}

export interface MapLeg {
  id: number
  from: { id: number; name: string }
  to: { id: number; name: string }
  travelDuration: number
  departuresPerWeek: number
  state: LegState
}

export interface ShippingNetwork {
  nodes: MapNode[]
  legs: MapLeg[]
}

function placeOf({ latitude, longitude }: Pick<ShippingNode, 'latitude' | 'longitude'>): GeoPoint | null {
  return latitude === null || longitude === null ? null : { latitude: Number(latitude), longitude: Number(longitude) }
}

function byNode(legs: readonly MapLeg[], end: 'from' | 'to'): ReadonlyMap<number, MapLeg[]> {
  const groups = new Map<number, MapLeg[]>()
  for (const leg of legs) {
    const group = groups.get(leg[end].id)
    if (group) group.push(leg)
    else groups.set(leg[end].id, [leg])
  }
  return groups
}

/** Combines nodes, their legs and the findings of the network check. */
export function networkOf(rows: readonly ShippingNode[], findings: readonly ShippingFinding[]): ShippingNetwork {
  const idsWith = (type: ShippingFinding['type'], kind: 'node' | 'leg') =>
    new Set(findings.flatMap((finding) => (finding.type === type && finding[kind] ? [finding[kind].id] : [])))
  const unreachable = idsWith('unreachable_node', 'node')
  const withoutDepartures = idsWith('leg_without_departures', 'leg')
  const active = new Set(rows.filter((row) => row.active).map(({ id }) => id))
  const legs = rows.flatMap(({ id, name, outgoing_legs }) =>
    outgoing_legs.map((leg): MapLeg => {
      const isActive = active.has(id) && active.has(leg.node.id)
      return {
        id: leg.id,
        from: { id, name },
        to: leg.node,
        travelDuration: leg.travel_duration,
        departuresPerWeek: leg.departures_per_week,
        state: withoutDepartures.has(leg.id) ? 'without_departures' : isActive ? 'running' : 'inactive',
      }
    }),
  )
  const incoming = byNode(legs, 'to')
  const outgoing = byNode(legs, 'from')
  const nodes = rows.map(
    (row): MapNode => ({
      id: row.id,
      name: row.name,
      state: !row.active ? 'inactive' : unreachable.has(row.id) ? 'unreachable' : 'reachable',
      warehouse: row.warehouse && `${row.warehouse.short_code} · ${row.warehouse.name}`,
      place: placeOf(row),
      incoming: incoming.get(row.id) ?? [],
      outgoing: outgoing.get(row.id) ?? [],
    }),
  )
  return { nodes, legs }
}
