import { expect, it } from 'vitest'
import type { ShippingFinding, ShippingNode } from '~/api/schema'
import { networkOf } from './network'

const node = (id: number, name: string, rest: Partial<ShippingNode> = {}): ShippingNode => ({
  id,
  name,
  address: null,
  latitude: '48.3069',
  longitude: '14.2858',
  active: true,
  warehouse: null,
  region: null,
  incoming_legs: [],
  outgoing_legs: [],
  version: 1,
  created_at: '2026-11-27T08:00:00Z',
  updated_at: '2026-11-27T08:00:00Z',
  ...rest,
})
const leg = (id: number, to: ShippingNode, departures_per_week = 2) => ({
  id,
  node: { id: to.id, name: to.name },
  travel_duration: 390,
  departures_per_week,
})
const finding = (type: ShippingFinding['type'], rest: Partial<ShippingFinding>): ShippingFinding => ({
  type,
  node: null,
  leg: null,
  other_leg: null,
  departure: null,
  hours: null,
  country: null,
  ...rest,
})

const linz = node(1, 'Linz')
const basel = node(3, 'Basel', { active: false })
const wien = node(4, 'Wien', { latitude: null, longitude: null })
const nuernberg = node(2, 'Nürnberg', {
  warehouse: { id: 7, short_code: 'NUE', name: 'Lager Nürnberg' },
  outgoing_legs: [leg(10, linz), leg(11, basel), leg(12, wien, 0)],
})

it('draws each leg once, from its sender', () => {
  const { nodes, legs } = networkOf([linz, nuernberg, basel, wien], [])
  expect(legs.map(({ id, from, to }) => [id, from.name, to.name])).toEqual([
    [10, 'Nürnberg', 'Linz'],
    [11, 'Nürnberg', 'Basel'],
    [12, 'Nürnberg', 'Wien'],
  ])
  expect(nodes.map(({ name, incoming, outgoing }) => [name, incoming.length, outgoing.length])).toEqual([
    ['Linz', 1, 0],
    ['Nürnberg', 0, 3],
    ['Basel', 1, 0],
    ['Wien', 1, 0],
  ])
  expect(nodes.map(({ place }) => place !== null)).toEqual([true, true, true, false])
  expect(nodes[1]?.warehouse).toBe('NUE · Lager Nürnberg')
})

it('marks findings of the network check, and legs of inactive nodes', () => {
  const findings = [
    finding('unreachable_node', { node: { id: 4, name: 'Wien' } }),
    finding('leg_without_departures', { leg: { id: 12, name: 'Nürnberg → Wien' } }),
    // another kind of finding
    finding('no_return_leg', { leg: { id: 10, name: 'Nürnberg → Linz' }, node: { id: 1, name: 'Linz' } }),
  ]
  const { nodes, legs } = networkOf([linz, nuernberg, basel, wien], findings)
  expect(nodes.map(({ state }) => state)).toEqual(['reachable', 'reachable', 'inactive', 'unreachable'])
  expect(legs.map(({ state }) => state)).toEqual(['running', 'inactive', 'without_departures'])
})
