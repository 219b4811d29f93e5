import { describe, expect, it } from 'vitest'
import { addDays, addMonthsToDay, formatDay, isDay, isNoDay, monthsOf, parseDay, today, weekday, weeksOf } from './days'

it.each([
  ['24.12.2026', '2026-12-24'],
  ['24-12-2026', '2026-12-24'],
  ['1.3.26', '2026-03-01'],
  [' 1 / 3 / 2026 ', '2026-03-01'],
  ['1/3/2026', '2026-03-01'],
  ['01032026', '2026-03-01'],
  ['2026-03-01', '2026-03-01'],
  ['29.02.2028', '2028-02-29'],
  ['29.02.2027', null],
  ['31.12.1899', null],
  ['01.01.1900', '1900-01-01'],
  ['31.12.2099', '2099-12-31'],
  ['01.01.2100', null],
  ['12.2026', null],
  ['morgen', null],
  ['', null],
])('reads %s as %s', (text, day) => {
  expect(parseDay(text)).toBe(day)
})

it('distinguishes a nonexistent day from other texts', () => {
  expect(['31.02.2027', '29-2-27', '2027-13-01'].map(isNoDay)).toEqual([true, true, true])
  expect(['28.02.2027', '31.12.1899', '2.2027', 'morgen', ''].map(isNoDay)).toEqual([false, false, false, false, false])
})

it('formats a day by language', () => {
  expect(formatDay('2026-03-01', 'de')).toBe('01.03.2026')
  expect(formatDay('2026-03-01', 'en')).toBe('01-03-2026')
})

describe('calendar', () => {
  it('moves by days and months', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addMonthsToDay('2026-01-31', 1)).toBe('2026-02-28')
    expect(addMonthsToDay('2026-01-31', -2)).toBe('2025-11-30')
    expect(addMonthsToDay('2028-02-29', 12)).toBe('2029-02-28')
  })

  it('arranges a month in weeks from Monday', () => {
    const weeks = weeksOf('2026-11-23')
    expect(weeks.map((week) => week[0])).toEqual(['2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16', '2026-11-23', '2026-11-30'])
    expect(weeks.at(-1)?.at(-1)).toBe('2026-12-06')
    expect(weeksOf('2027-02-01')).toHaveLength(4)
    expect(weekday('2026-11-23')).toBe(0)
  })

  it('counts days across clock changes', () => {
    expect(addDays('2026-03-28', 2)).toBe('2026-03-30')
    expect(addDays('2026-10-26', -2)).toBe('2026-10-24')
  })

  it('arranges a year in months without the days of other months', () => {
    const november = monthsOf(2026)[10]
    expect(november?.weeks[0]).toEqual([null, null, null, null, null, null, '2026-11-01'])
    expect(november?.weeks.at(-1)?.slice(0, 2)).toEqual(['2026-11-30', null])
  })

  it('returns the local date of today, and rejects invalid days', () => {
    expect(today(new Date(2026, 10, 23, 0, 30))).toBe('2026-11-23')
    expect(isDay('2026-11-31')).toBe(false)
  })
})
