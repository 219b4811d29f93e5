import type { Lang } from './lang'

const partsIn = (timeZone?: string) =>
  new Intl.DateTimeFormat('en-GB', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  })
const HERE = partsIn()

function parts(iso: string, zone?: string) {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return null
  const format = zone === undefined ? HERE : partsIn(zone)
  return Object.fromEntries(format.formatToParts(date).map((part) => [part.type, part.value])) as Record<
    'year' | 'month' | 'day' | 'hour' | 'minute',
    string
  >
}

/** Formats dd.MM.yyyy in German, dd-MM-yyyy in English; in the local or the given time zone. */
export function formatDate(iso: string, lang: Lang, zone?: string): string {
  const p = parts(iso, zone)
  if (!p) return ''
  return [p.day, p.month, p.year].join(lang === 'de' ? '.' : '-')
}

/** Formats date and time; German times end with "Uhr". */
export function formatDateTime(iso: string, lang: Lang, zone?: string): string {
  const p = parts(iso, zone)
  if (!p) return ''
  return `${formatDate(iso, lang, zone)} ${p.hour}:${p.minute}${lang === 'de' ? ' Uhr' : ''}`
}

const DAY_MS = 86_400_000
/** Any Monday. */
const MONDAY = Date.UTC(2024, 0, 1)

/** Names of the days of a week, from Monday. */
export const weekdayNames = (lang: Lang, style: 'short' | 'long'): string[] => {
  const format = new Intl.DateTimeFormat(lang, { weekday: style, timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, day) => format.format(MONDAY + day * DAY_MS))
}

/** Names of the months, from January. */
export const monthNames = (lang: Lang): string[] => {
  const format = new Intl.DateTimeFormat(lang, { month: 'long', timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, month) => format.format(Date.UTC(2024, month, 1)))
}

/** Formats "Mo" in German, "Mon" in English; in the local or the given time zone. */
export const formatWeekday = (iso: string, lang: Lang, timeZone?: string): string =>
  new Intl.DateTimeFormat(lang, { weekday: 'short', timeZone }).format(new Date(iso))

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

/** Midnight of a calendar day (yyyy-mm-dd) in the local time zone, as an instant for the API. */
export function dayStart(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString()
}
