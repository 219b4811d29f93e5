import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { ShippingFinding, ShippingNode } from '~/api/schema'
import { loadTexts } from '~/i18n/i18n'
import '~/i18n/area'
import { MapFrame } from './map-frame'
import { networkOf } from './network'
import { NetworkMap } from './network-map'
import { NetworkTables } from './network-tables'

beforeAll(() => loadTexts('shippingMap'))

const record = { version: 1, created_at: '2026-11-27T08:00:00Z', updated_at: '2026-11-27T08:00:00Z' }
const node = (id: number, name: string, rest: Partial<ShippingNode>): ShippingNode => ({
  ...record,
  id,
  name,
  address: null,
  latitude: null,
  longitude: null,
  active: true,
  warehouse: null,
  region: null,
  incoming_legs: [],
  outgoing_legs: [],
  ...rest,
})
const to = (id: number, name: string, departures_per_week: number) => ({
  id: 10 + id,
  node: { id, name },
  travel_duration: 390,
  departures_per_week,
})
const NODES = [
  node(1, 'Linz', { latitude: '48.3069', longitude: '14.2858' }),
  node(2, 'Nürnberg', { latitude: '49.4521', longitude: '11.0767', outgoing_legs: [to(1, 'Linz', 2), to(3, 'Basel', 0)] }),
  node(3, 'Basel', { latitude: '47.5596', longitude: '7.5886' }),
  node(4, 'Wien', {}),
]
const nothing = { node: null, leg: null, other_leg: null, departure: null, hours: null, country: null }
const FINDINGS: ShippingFinding[] = [
  { ...nothing, type: 'unreachable_node', node: { id: 3, name: 'Basel' } },
  { ...nothing, type: 'leg_without_departures', leg: { id: 13, name: 'Nürnberg → Basel' } },
]
const network = networkOf(NODES, FINDINGS)

function renderMap() {
  const view = render(
    <MemoryRouter>
      <NetworkMap {...network} />
    </MemoryRouter>,
  )
  const map = screen.getByRole('group', { name: 'Karte des Streckennetzes' })
  const placeOf = (name: RegExp) => screen.getByRole('link', { name }).querySelector('g')?.getAttribute('transform') ?? ''
  return { ...view, map, placeOf }
}

describe('the map', () => {
  it('has a link to each node that names its state and its legs', () => {
    const { container } = renderMap()
    const names = screen.getAllByRole('link').map((link) => link.getAttribute('aria-label'))
    expect(names).toEqual([
      'Linz. Keine Strecke geht von hier ab. Strecken von: Nürnberg, Fahrt 6h30m, 2 Abfahrten je Woche',
      'Nürnberg. Strecken nach: Linz, Fahrt 6h30m, 2 Abfahrten je Woche; Basel, ohne Abfahrten. Keine Strecke führt hierher',
      'Basel. nicht erreichbar. Keine Strecke geht von hier ab. Strecken von: Nürnberg, ohne Abfahrten',
    ])
    expect(screen.getByRole('link', { name: /^Linz/ })).toHaveAttribute('href', '/shippingNodes/1')
    expect(container.querySelectorAll('[data-state=unreachable]')).toHaveLength(1)
    expect(container.querySelectorAll('[data-leg=running]')).toHaveLength(1)
    expect(container.querySelectorAll('[data-leg=without_departures]')).toHaveLength(1)
  })

  it('moves by arrows, zooms by + and -, and shows the whole network by 0', async () => {
    const user = userEvent.setup()
    const { map, placeOf } = renderMap()
    const before = placeOf(/^Linz/)
    map.focus()
    await user.keyboard('{ArrowRight}')
    expect(placeOf(/^Linz/)).not.toBe(before)
    await user.keyboard('{ArrowLeft}')
    expect(placeOf(/^Linz/)).toBe(before)
    await user.keyboard('+')
    expect(placeOf(/^Linz/)).not.toBe(before)
    await user.keyboard('-{ArrowDown}+')
    await user.keyboard('0')
    expect(placeOf(/^Linz/)).toBe(before)
    await user.click(screen.getByRole('button', { name: 'Vergrößern' }))
    expect(placeOf(/^Linz/)).not.toBe(before)
    await user.click(screen.getByRole('button', { name: 'Ganzes Netz zeigen' }))
    expect(placeOf(/^Linz/)).toBe(before)
  })

  it('moves with a pointer, and dragging is no click', () => {
    const { placeOf } = renderMap()
    const before = placeOf(/^Linz/)
    const link = screen.getByRole('link', { name: /^Linz/ })
    fireEvent.pointerDown(link, { pointerId: 1, button: 0, clientX: 100, clientY: 100 })
    fireEvent.pointerMove(link, { pointerId: 1, buttons: 1, clientX: 150, clientY: 100 })
    fireEvent.pointerUp(link, { pointerId: 1 })
    expect(placeOf(/^Linz/)).not.toBe(before)
    // a followed link also prevents the browser's navigation, so the test checks that the link is not reached
    const follow = vi.fn()
    link.addEventListener('click', follow)
    fireEvent.click(link, { detail: 1 })
    expect(follow).not.toHaveBeenCalled()
    // a click by keyboard does not end a movement
    fireEvent.click(link)
    expect(follow).toHaveBeenCalledOnce()
  })

  it('does not follow a pointer whose button was released outside of the map', () => {
    const { placeOf } = renderMap()
    const before = placeOf(/^Linz/)
    const link = screen.getByRole('link', { name: /^Linz/ })
    fireEvent.pointerDown(link, { pointerId: 1, button: 0, buttons: 1, clientX: 100, clientY: 100 })
    fireEvent.pointerMove(link, { pointerId: 1, buttons: 0, clientX: 300, clientY: 100 })
    fireEvent.pointerMove(link, { pointerId: 1, buttons: 0, clientX: 350, clientY: 100 })
    expect(placeOf(/^Linz/)).toBe(before)
  })

  it('zooms with two pointers and with the wheel', () => {
    const { placeOf, map } = renderMap()
    const before = placeOf(/^Linz/)
    const link = screen.getByRole('link', { name: /^Nürnberg/ })
    fireEvent.pointerDown(link, { pointerId: 1, button: 0, clientX: 100, clientY: 100 })
    fireEvent.pointerDown(link, { pointerId: 2, button: 0, clientX: 200, clientY: 100 })
    fireEvent.pointerMove(link, { pointerId: 2, buttons: 1, clientX: 300, clientY: 100 })
    expect(placeOf(/^Linz/)).not.toBe(before)
    const pinched = placeOf(/^Linz/)
    expect(fireEvent.wheel(map.querySelector('svg') as Element, { deltaY: -200 })).toBe(false)
    expect(placeOf(/^Linz/)).not.toBe(pinched)
  })
})

it('picks the position of a click, and moves it by arrows', async () => {
  const onPlace = vi.fn()
  const onArrow = vi.fn()
  render(
    <MapFrame label="Karte" help="" places={[{ latitude: 48.3069, longitude: 14.2858 }]} onPlace={onPlace} onArrow={onArrow}>
      {() => null}
    </MapFrame>,
  )
  const map = screen.getByRole('group', { name: 'Karte' })
  // the place is in the centre of the drawing
  fireEvent.click(map.querySelector('svg') as Element, { detail: 1, clientX: 320, clientY: 397 / 2 })
  expect(onPlace).toHaveBeenCalledWith({ latitude: expect.closeTo(48.3069, 1), longitude: expect.closeTo(14.2858, 6) })
  fireEvent.keyDown(map, { key: 'ArrowUp' })
  fireEvent.keyDown(map, { key: 'ArrowLeft', shiftKey: true })
  expect(onArrow.mock.calls.map(([by]) => by)).toEqual([
    { x: 0, y: -10 },
    { x: -1, y: 0 },
  ])
})

it('shows the same in tables, including nodes without coordinates', () => {
  render(
    <MemoryRouter>
      <NetworkTables {...network} />
    </MemoryRouter>,
  )
  const cells = (name: string) =>
    [...screen.getByRole('table', { name }).querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))
  expect(cells('Versandknoten')).toEqual([
    ['Basel', 'nicht erreichbar', '47,5596; 7,5886', '', '', 'Nürnberg'],
    ['Linz', 'erreichbar', '48,3069; 14,2858', '', '', 'Nürnberg'],
    ['Nürnberg', 'erreichbar', '49,4521; 11,0767', '', 'Linz, Basel', ''],
    ['Wien', 'erreichbar', 'keine Koordinaten', '', '', ''],
  ])
  expect(cells('Strecken')).toEqual([
    ['Nürnberg', 'Basel', 'ohne Abfahrten', '6h30m', '0'],
    ['Nürnberg', 'Linz', 'wird befahren', '6h30m', '2'],
  ])
})
