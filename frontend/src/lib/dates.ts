import type { Lang } from './lang'

const PARTS = new Intl.DateTimeFormat('en-GB', {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

function parts(iso: string) {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return null
  return Object.fromEntries(PARTS.formatToParts(date).map((part) => [part.type, part.value])) as Record<
    'year' | 'month' | 'day' | 'hour' | 'minute',
    string
  >
}

/** dd.MM.yyyy in German, dd-MM-yyyy in English. */
export function formatDate(iso: string, lang: Lang): string {
  const p = parts(iso)
  if (!p) return ''
  return [p.day, p.month, p.year].join(lang === 'de' ? '.' : '-')
}

/** German times end with "Uhr". */
export function formatDateTime(iso: string, lang: Lang): string {
  const p = parts(iso)
  if (!p) return ''
  return `${formatDate(iso, lang)} ${p.hour}:${p.minute}${lang === 'de' ? ' Uhr' : ''}`
}

const DAY_MS = 86_400_000
/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1)

/** What the days of a week are called, from Monday on. */
export const weekdayNames = (lang: Lang, style: 'short' | 'long'): string[] => {
  const format = new Intl.DateTimeFormat(lang, { weekday: style, timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, day) => format.format(MONDAY + day * DAY_MS))
}

/** What the months are called, from January on. */
export const monthNames = (lang: Lang): string[] => {
  const format = new Intl.DateTimeFormat(lang, { month: 'long', timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, month) => format.format(Date.UTC(2024, month, 1)))
}

/** "Mo" in German, "Mon" in English. */
export const formatWeekday = (iso: string, lang: Lang): string => new Intl.DateTimeFormat(lang, { weekday: 'short' }).format(new Date(iso))

/** When days begin between two moments, here. */
export function midnights(from: number, to: number): number[] {
  const day = new Date(from)
  const found: number[] = []
  for (;;) {
    day.setHours(24, 0, 0, 0)
    if (day.getTime() >= to) return found
    found.push(day.getTime())
  }
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

export function formatAgo(iso: string, lang: Lang, now = Date.now()): string {
  const seconds = Math.round((new Date(iso).getTime() - now) / 1000)
  const format = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' })
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit)
  }
  return format.format(0, 'minute')
}

/** A moment as day and time, here: `2026-11-23T15:24`. */
export function localMinute(at: Date): string {
  const p = parts(at.toISOString())
  return p ? `${p.year}-${p.month}-${p.day}T${p.hour}:${p.minute}` : ''
}

/** Midnight of a calendar day (yyyy-mm-dd) here, as an instant for the wire. */
export function dayStart(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString()
}
