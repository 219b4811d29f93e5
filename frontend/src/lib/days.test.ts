import { expect, it } from 'vitest'
import { addDays, addMonths, today, weekdayOf, weeksOf } from './days'

it('counts days across months, years and changes of the clock', () => {
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30')
  expect(addDays('2026-10-26', -2)).toBe('2026-10-24')
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
})

it('knows the day of the week, from Monday on', () => {
  expect([weekdayOf('2026-11-23'), weekdayOf('2026-11-29')]).toEqual([0, 6])
})

it('stays in the month that it goes to', () => {
  expect(addMonths('2028-01-31', 1)).toBe('2028-02-29')
  expect(addMonths('2026-03-31', -1)).toBe('2026-02-28')
  expect(addMonths('2026-12-15', 1)).toBe('2027-01-15')
})

it('lays a month out in weeks', () => {
  const weeks = weeksOf(2027, 1)
  expect(weeks).toHaveLength(4)
  expect(weeks[0]?.[0]).toBe('2027-02-01')
  const november = weeksOf(2026, 10)
  expect(november[0]).toEqual([null, null, null, null, null, null, '2026-11-01'])
  expect(november.at(-1)?.slice(0, 2)).toEqual(['2026-11-30', null])
})

it('says which day it is here', () => {
  expect(today(new Date('2026-11-22T23:30:00Z'))).toBe('2026-11-23')
})
