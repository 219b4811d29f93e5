import { expect, it } from 'vitest'
import { placeLabels } from './labels'

const SIZE = { width: 400, height: 300 }
const node = (id: number, name: string, x: number, y: number, weight = 1) => ({ id, name, x, y, weight })

it('is placed right of the marker, or wherever there is room', () => {
  const labels = placeLabels([node(1, 'Linz', 100, 100), node(2, 'Hamburg', 390, 100), node(3, 'Wien', 200, 200)], SIZE)
  expect(labels.get(1)).toEqual({ x: 111, y: 104, anchor: 'start' })
  expect(labels.get(2)?.anchor).toBe('end')
  expect(labels.size).toBe(3)
})

it('gives priority to the node with more legs', () => {
  // so close together that only some of the names fit
  const crowd = Array.from({ length: 30 }, (_, at) => node(at, `Knoten ${at}`, 200 + at, 150, at))
  const labels = placeLabels(crowd, SIZE)
  expect(labels.has(29)).toBe(true)
  expect(labels.size).toBeLessThan(8)
})

it('omits nodes that are not visible', () => {
  expect(placeLabels([node(1, 'Linz', -20, 100)], SIZE).size).toBe(0)
})

it('avoids lines if possible', () => {
  const line = Array.from({ length: 10 }, (_, at) => ({ x: 110 + at * 4, y: 100 }))
  expect(placeLabels([node(1, 'Linz', 100, 100)], SIZE, line).get(1)?.anchor).toBe('end')
})
