import { expect, it } from 'vitest'
import { fitView, fromScreen, isShown, panView, SCALE_MAX, SCALE_MIN, toGeoPoint, toMapPoint, toScreen, zoomView } from './view'

const SIZE = { width: 800, height: 500 }
const LINZ = { latitude: 48.3069, longitude: 14.2858 }
const HAMBURG = { latitude: 53.5511, longitude: 9.9937 }
const ROTTERDAM = { latitude: 51.9244, longitude: 4.4777 }

it('shows all positions, with north up and east on the right', () => {
  const view = fitView([LINZ, HAMBURG, ROTTERDAM], SIZE)
  const [linz, hamburg, rotterdam] = [LINZ, HAMBURG, ROTTERDAM].map((place) => toScreen(view, SIZE, toMapPoint(place)))
  for (const point of [linz, hamburg, rotterdam]) expect(point && isShown(point, SIZE, 40)).toBe(true)
  expect(hamburg?.y).toBeLessThan(linz?.y ?? 0)
  expect(rotterdam?.x).toBeLessThan(linz?.x ?? 0)
})

it('converts a position to pixels and back', () => {
  const view = fitView([LINZ, HAMBURG], SIZE)
  const point = toGeoPoint(fromScreen(view, SIZE, toScreen(view, SIZE, toMapPoint(LINZ))))
  expect(point.latitude).toBeCloseTo(LINZ.latitude, 9)
  expect(point.longitude).toBeCloseTo(LINZ.longitude, 9)
})

it('zooms around the point below the pointer, within limits', () => {
  const view = fitView([LINZ, HAMBURG], SIZE)
  const at = { x: 120, y: 60 }
  const nearer = zoomView(view, SIZE, 3, at)
  expect(nearer.scale).toBeCloseTo(view.scale * 3)
  const fixed = fromScreen(view, SIZE, at)
  expect(toScreen(nearer, SIZE, fixed).x).toBeCloseTo(at.x, 6)
  expect(toScreen(nearer, SIZE, fixed).y).toBeCloseTo(at.y, 6)
  const nearest = zoomView(nearer, SIZE, 1e9, at)
  expect(nearest.scale).toBe(SCALE_MAX)
  expect(toScreen(nearest, SIZE, fixed).x).toBeCloseTo(at.x, 4)
  expect(zoomView(view, SIZE, 1e-9).scale).toBe(SCALE_MIN)
})

it('stays within the bounds of the map', () => {
  const view = fitView([LINZ], SIZE)
  expect(panView(view, { x: -1e9, y: 1e9 })).toEqual({ x: -Math.PI, y: Math.PI, scale: view.scale })
  expect(toMapPoint({ latitude: 90, longitude: 180 }).y).toBeGreaterThan(-Math.PI)
  expect(toGeoPoint({ x: 0, y: 0 })).toEqual({ latitude: expect.closeTo(0), longitude: 0 })
})

it('shows a single node with its country, and Europe if there is none', () => {
  const one = fitView([LINZ], SIZE)
  expect(toScreen(one, SIZE, toMapPoint(LINZ))).toEqual({ x: 400, y: 250 })
  // Vienna, some 150 km away
  expect(isShown(toScreen(one, SIZE, toMapPoint({ latitude: 48.2, longitude: 16.37 })), SIZE)).toBe(true)
  const none = fitView([], SIZE)
  for (const place of [LINZ, HAMBURG, ROTTERDAM]) expect(isShown(toScreen(none, SIZE, toMapPoint(place)), SIZE)).toBe(true)
})
