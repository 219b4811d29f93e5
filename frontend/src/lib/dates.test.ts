import { expect, it } from 'vitest'
import { dayStart, formatAgo, formatDate, formatDateTime, formatWeekday, weekdayNames } from './dates'

it('shows instants in local time, in both conventions', () => {
  expect(formatDateTime('2026-11-20T09:05:00Z', 'de')).toBe('20.11.2026 10:05 Uhr')
  expect(formatDateTime('2026-11-20T09:05:00Z', 'en')).toBe('20-11-2026 10:05')
  expect(formatDate('2026-03-01T23:30:00Z', 'de')).toBe('02.03.2026')
})

it('formats an invalid date as an empty text', () => {
  expect(formatDate('soon', 'de')).toBe('')
})

it('starts days at midnight across clock changes', () => {
  expect(dayStart('2026-03-29')).toBe('2026-03-28T23:00:00.000Z')
})

it('formats relative times', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  expect(formatAgo('2026-11-20T11:15:00Z', 'de', now)).toBe('vor 45 Minuten')
  expect(formatAgo('2026-11-19T12:00:00Z', 'de', now)).toBe('gestern')
})

it('names the days of the week in both languages, from Monday', () => {
  expect(weekdayNames('de', 'short')).toEqual(['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'])
  expect(weekdayNames('en', 'long')[6]).toBe('Sunday')
  expect(formatWeekday('2026-11-22T23:30:00Z', 'de')).toBe('Mo')
  expect(formatWeekday('2026-11-22T23:30:00Z', 'de', 'Europe/London')).toBe('So')
})
