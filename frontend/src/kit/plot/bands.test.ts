import { expect, it } from 'vitest'
import { nightsIn } from './bands'

const span = (from: string, to: string) => ({ from: Date.parse(from), to: Date.parse(to) })
const texts = (spans: { from: number; to: number }[]) =>
  spans.map(({ from, to }) => [from, to].map((at) => new Date(at).toISOString().slice(5, 16)))

it('finds nights in the time zone, even when the clocks change', () => {
  // in the night of 28 March 2027 the clocks go forward
  expect(texts(nightsIn('Europe/Berlin', span('2027-03-27T12:00:00Z', '2027-03-29T12:00:00Z')))).toEqual([
    ['03-27T21:00', '03-28T04:00'],
    ['03-28T20:00', '03-29T04:00'],
  ])
})

it('cuts nights off at both ends', () => {
  expect(texts(nightsIn('Europe/Berlin', span('2027-05-26T01:00:00Z', '2027-05-26T21:00:00Z')))).toEqual([
    ['05-26T01:00', '05-26T04:00'],
    ['05-26T20:00', '05-26T21:00'],
  ])
})
