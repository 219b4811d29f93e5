import { describe, expect, it } from 'vitest'
import { addDays } from './days'
import { dayIn, dayStartIn, lastDayBefore, midnightsIn, minuteIn, momentIn } from './zone'

const BERLIN = 'Europe/Berlin'

describe('the start of a day', () => {
  it.each([
    ['2026-01-15', BERLIN, '2026-01-14T23:00:00.000Z'],
    // days on which the clocks change, and the days after
    ['2026-03-29', BERLIN, '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', BERLIN, '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', BERLIN, '2026-10-24T22:00:00.000Z'],
    ['2026-10-26', BERLIN, '2026-10-25T23:00:00.000Z'],
    ['2026-07-01', 'America/St_Johns', '2026-07-01T02:30:00.000Z'],
    // in the first zone midnight is skipped, in the second it occurs twice
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    ['2025-11-02', 'America/Havana', '2025-11-02T04:00:00.000Z'],
  ])('%s in %s at %s', (day, zone, at) => {
    expect(new Date(dayStartIn(zone, day)).toISOString()).toBe(at)
    expect(dayIn(zone, Date.parse(at))).toBe(day)
    expect(dayIn(zone, Date.parse(at) - 1)).toBe(addDays(day, -1))
  })
})

it('finds the last day of a period that ends at the start of a day', () => {
  expect(lastDayBefore(BERLIN, '2026-03-29T22:00:00Z')).toBe('2026-03-29')
  expect(lastDayBefore(BERLIN, '2026-03-29T23:00:00Z')).toBeNull()
})

it('finds the starts of days, even if one has 23 hours', () => {
  const midnights = midnightsIn(BERLIN, Date.parse('2026-03-28T12:00:00Z'), Date.parse('2026-03-30T22:00:00Z'))
  expect(midnights.map((at) => new Date(at).toISOString())).toEqual(['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'])
})

it.each([
  ['2026-11-24T12:00', BERLIN, '2026-11-24T11:00:00.000Z', '2026-11-24T12:00'],
  ['2026-07-01T00:15', 'America/St_Johns', '2026-07-01T02:45:00.000Z', '2026-07-01T00:15'],
  // for a time that occurs twice the first one counts; a skipped time moves forward
  ['2026-10-25T02:30', BERLIN, '2026-10-25T00:30:00.000Z', '2026-10-25T02:30'],
  ['2026-03-29T02:30', BERLIN, '2026-03-29T01:30:00.000Z', '2026-03-29T03:30'],
])('clocks show %s in %s at %s', (typed, zone, at, expected) => {
  const [day = '', time = ''] = typed.split('T')
  expect(new Date(momentIn(zone, day, time)).toISOString()).toBe(at)
  expect(minuteIn(zone, Date.parse(at))).toBe(expected)
})
