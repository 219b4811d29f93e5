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

/** Midnight of a calendar day (yyyy-mm-dd) here, as an instant for the wire. */
export function dayStart(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString()
}

export function dayEnd(day: string): string {
  return new Date(`${day}T23:59:59.999`).toISOString()
}
