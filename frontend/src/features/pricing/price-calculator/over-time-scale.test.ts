import { describe, expect, it } from 'vitest'
import { amountTicks, linesOf, momentOfDay, monthsIn, stepAt, stepKind, timesOf } from './over-time-scale'

const ZONE = 'Europe/Berlin'
const at = (iso: string) => Date.parse(iso)
const NOW = at('2026-11-25T10:00:00Z')

describe('the displayed period', () => {
  it('runs between beginnings of months, and not before the history', () => {
    expect(timesOf(3, NOW, ZONE)).toEqual({ from: at('2026-07-31T22:00:00Z'), until: at('2027-02-28T23:00:00Z') })
    expect(timesOf(24, NOW, ZONE)).toEqual({ from: at('2025-09-30T22:00:00Z'), until: at('2028-11-30T23:00:00Z') })
  })

  it('has the beginnings of months in the time zone', () => {
    expect(monthsIn(ZONE, at('2026-09-30T22:00:00Z'), at('2026-12-01T00:00:00Z'))).toEqual([
      { at: at('2026-09-30T22:00:00Z'), month: '2026-10' },
      { at: at('2026-10-31T23:00:00Z'), month: '2026-11' },
      { at: at('2026-11-30T23:00:00Z'), month: '2026-12' },
    ])
  })

  it('has a time for each day: now for today, otherwise noon, and never outside of the period', () => {
    const times = { from: at('2026-11-01T12:00:00Z'), until: at('2026-12-01T00:00:00Z') }
    expect(momentOfDay(ZONE, '2026-11-25', times, NOW)).toBe(NOW)
    expect(momentOfDay(ZONE, '2026-11-24', times, NOW)).toBe(at('2026-11-24T11:00:00Z'))
    expect(momentOfDay(ZONE, '2026-11-01', times, NOW)).toBe(times.from)
    expect(momentOfDay(ZONE, '2026-12-01', times, NOW)).toBe(times.until - 1)
  })
})

describe('steps', () => {
  const step = (total: string | null, isPast: boolean, overlaps: object[] = []) => ({ total, past: isPast, overlaps: overlaps as never[] })

  it('include gaps and overlaps', () => {
    expect([step(null, true), step('1', true, [{}]), step('1', true), step(null, true, [{}])].map(stepKind)).toEqual([
      'gap',
      'overlap',
      'clear',
      'gap',
    ])
  })

  it('form one line while there is a price, and another one from now on', () => {
    const [a, b, gap, c, d] = [step('1', true), step('2', true), step(null, true), step('3', true), step('3', false)]
    expect(linesOf([a, b, gap, c, d])).toEqual([
      { past: true, steps: [a, b] },
      { past: true, steps: [c] },
      { past: false, steps: [d] },
    ])
  })

  it('are in effect from their start until before their end', () => {
    const steps = [
      { from: '2026-11-01T00:00:00Z', until: '2026-11-02T00:00:00Z' },
      { from: '2026-11-02T00:00:00Z', until: '2026-11-03T00:00:00Z' },
    ]
    expect(stepAt(steps, at('2026-11-01T00:00:00Z'))).toBe(steps[0])
    expect(stepAt(steps, at('2026-11-02T00:00:00Z'))).toBe(steps[1])
    expect(stepAt(steps, at('2026-11-03T00:00:00Z'))).toBeUndefined()
  })
})

describe('the axis of amounts', () => {
  it.each([[[1700, 1900]], [[100, 100]], [[0]], [[0.1, 0.3]], [[1, 99999.99]]])('covers %j with round amounts', (amounts) => {
    const ticks = amountTicks(amounts)
    expect(ticks[0]).toBeLessThanOrEqual(Math.min(...amounts))
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(...amounts))
    expect(ticks.length).toBeGreaterThanOrEqual(2)
    expect(ticks.length).toBeLessThanOrEqual(7)
    const sizes = ticks.slice(1).map((tick, nth) => Number((tick - (ticks[nth] ?? 0)).toFixed(6)))
    expect(new Set(sizes).size).toBe(1)
  })
})
