import type { Lang } from './lang'

/** Range of days accepted anywhere. Calendar days are texts, yyyy-mm-dd, which sort by date. */
export const EARLIEST = '1900-01-01'
export const LATEST = '2099-12-31'

const MS = 86_400_000
const at = (day: string) => new Date(`${day}T00:00:00Z`)
const dayOf = (date: Date) => date.toISOString().slice(0, 10)

/** True for a calendar day within the accepted range. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < EARLIEST || text > LATEST) return false
  const date = at(text)
  return !Number.isNaN(date.getTime()) && dayOf(date) === text
}

/** Normalises a text to yyyy-mm-dd, even if no such day exists; null if it is not written as a day. */
function parseWritten(text: string): string | null {
  const typed = text.trim()
  if (/^\d{4}-\d\d-\d\d$/.test(typed)) return typed
  const match = /^(\d{1,2})[.\-/ ]+(\d{1,2})[.\-/ ]+(\d{4}|\d{2})$/.exec(typed) ?? /^(\d\d)(\d\d)(\d{4})$/.exec(typed)
  if (!match) return null
  const [, day = '', month = '', year = ''] = match
  return [year.length === 2 ? `20${year}` : year, month.padStart(2, '0'), day.padStart(2, '0')].join('-')
}

/**
 * Parses day, month and year with any separators or none (`1.3.26`, `01-03-2026`, `01032026`), or
 * yyyy-mm-dd; null for no day.
 */
export function parseDay(text: string): string | null {
  const day = parseWritten(text)
  return day !== null && isDay(day) ? day : null
}

/** True for a text that is written as a day within the accepted range but does not exist: `31.02.2027`. */
export function isNoDay(text: string): boolean {
  const day = parseWritten(text)
  return day !== null && day >= EARLIEST && day <= LATEST && !isDay(day)
}

/** Formats dd.MM.yyyy in German, dd-MM-yyyy in English. */
export const formatDay = (day: string, lang: Lang): string =>
  day
    .split('-')
    .reverse()
    .join(lang === 'de' ? '.' : '-')

export const addDays = (day: string, days: number): string => dayOf(new Date(at(day).getTime() + days * MS))

/** Number of days from one day to a later one. */
export const daysFrom = (from: string, to: string): number => (at(to).getTime() - at(from).getTime()) / MS

/** Same day of another month, or that month's last day. */
export function addMonthsToDay(day: string, months: number): string {
  const date = at(day)
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(date.getUTCDate(), last))
  return dayOf(first)
}

/** Day of the week; 0 for Monday. */
export const weekday = (day: string): number => (at(day).getUTCDay() + 6) % 7

/** Weeks that the day's month touches, each from Monday. */
export function weeksOf(day: string): string[][] {
  const first = `${day.slice(0, 8)}01`
  const last = addDays(addMonthsToDay(first, 1), -1)
  const start = addDays(first, -weekday(first))
  const count = (weekday(first) + Number(last.slice(8)) + 6 - weekday(last)) / 7
  return Array.from({ length: count }, (_, week) => Array.from({ length: 7 }, (_, dayIndex) => addDays(start, week * 7 + dayIndex)))
}

/** Months of a year in weeks from Monday to Sunday; days of other months are null. */
export const monthsOf = (year: number): { month: number; weeks: (string | null)[][] }[] =>
  Array.from({ length: 12 }, (_, month) => {
    const own = `${year}-${String(month + 1).padStart(2, '0')}-`
    return { month, weeks: weeksOf(`${own}01`).map((week) => week.map((day) => (day.startsWith(own) ? day : null))) }
  })

export const today = (now = new Date()): string =>
  [now.getFullYear(), String(now.getMonth() + 1).padStart(2, '0'), String(now.getDate()).padStart(2, '0')].join('-')
