import { describe, expect, it } from 'vitest'
import { addDays } from './days'
import { dayIn, dayStartIn, lastDayBefore } from './zone'

const BERLIN = 'Europe/Berlin'

describe('a day begins', () => {
  it.each([
    ['2026-01-15', BERLIN, '2026-01-14T23:00:00.000Z'],
    // the days on which the clocks change, and those after them
    ['2026-03-29', BERLIN, '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', BERLIN, '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', BERLIN, '2026-10-24T22:00:00.000Z'],
    ['2026-10-26', BERLIN, '2026-10-25T23:00:00.000Z'],
    ['2026-07-01', 'America/St_Johns', '2026-07-01T02:30:00.000Z'],
    // here midnight is skipped, and there it comes twice
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    ['2025-11-02', 'America/Havana', '2025-11-02T04:00:00.000Z'],
  ])('%s in %s at %s', (day, zone, at) => {
    expect(new Date(dayStartIn(zone, day)).toISOString()).toBe(at)
    expect(dayIn(zone, Date.parse(at))).toBe(day)
    expect(dayIn(zone, Date.parse(at) - 1)).toBe(addDays(day, -1))
  })
})

it('has a last day what ends when one begins', () => {
  expect(lastDayBefore(BERLIN, '2026-03-29T22:00:00Z')).toBe('2026-03-29')
  expect(lastDayBefore(BERLIN, '2026-03-29T23:00:00Z')).toBeNull()
})
