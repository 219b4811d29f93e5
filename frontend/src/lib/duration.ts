import type { Lang } from './lang'

/**
 * Durations and times of day. Same rules as the server's values/duration.rs; both are tested with
 * testdata/rules/duration.json.
 */

/** Maximum in minutes: 30 days. */
export const DURATION_MAX = 43_200

/**
 * Parses a duration into minutes: `1h20m`, `1h`, `20m`, `1:20`, `80` (minutes), `1,5h`; null if it is none.
 */
export function parseDuration(input: string): number | null {
  const minutes = minutesOf(input.replace(/\s/g, '').toLowerCase())
  return minutes !== null && minutes <= DURATION_MAX ? minutes : null
}

/** Parses a lower-case text without spaces into minutes, without the maximum. */
export function minutesOf(text: string): number | null {
  const clock = /^(\d+):([0-5]\d)$/.exec(text)
  if (clock) return Number(clock[1]) * 60 + Number(clock[2])
  const parts = /^(\d+)h(\d+)m$/.exec(text)
  if (parts) return Number(parts[2]) < 60 ? Number(parts[1]) * 60 + Number(parts[2]) : null
  const hours = /^(\d{1,12})(?:[.,](\d{1,6}))?h$/.exec(text)
  if (hours) return wholeMinutes(hours[1] ?? '', hours[2] ?? '')
  const minutes = /^(\d+)m?$/.exec(text)
  return minutes ? Number(minutes[1]) : null
}

/** Minutes of a decimal number of units of `unit` minutes; null if they are not whole. */
export function wholeMinutes(whole: string, fraction: string, unit = 60): number | null {
  const millionths = Number(fraction.padEnd(6, '0')) * unit
  return millionths % 1_000_000 === 0 ? Number(whole) * unit + millionths / 1_000_000 : null
}

/** Formats a duration as in forms and files: `1h20m`, `1h`, `20m`. */
export function formatDuration(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return `${rest}m`
  return rest === 0 ? `${hours}h` : `${hours}h${rest}m`
}

/** Minutes of a day; in lead times a day is a working day. */
export const DAY = 1440

/** Formats a lead time for lists: `3 Tage`, `1 Tag 12h`, `4h30m`. */
export function formatLeadTime(minutes: number, lang: Lang): string {
  const [days, rest] = [Math.floor(minutes / DAY), minutes % DAY]
  if (days === 0 && rest > 0) return formatDuration(rest)
  const [one, many] = lang === 'de' ? ['Tag', 'Tage'] : ['day', 'days']
  return [days, days === 1 ? one : many, ...(rest > 0 ? [formatDuration(rest)] : [])].join(' ')
}

/** Parses a time of day, `HH:mm`, into minutes since 00:00; null if it is none. */
export function parseClockTime(text: string): number | null {
  const parts = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  return parts ? Number(parts[1]) * 60 + Number(parts[2]) : null
}

/** Completes a typed time of day, `9:05`, `9.05` or `905`, to `09:05`; returns any other text unchanged. */
export function completeClockTime(typed: string): string {
  const [, hours = '', minutes = ''] = /^(\d{1,2})[:.]?(\d{2})$/.exec(typed.trim()) ?? []
  const whole = `${hours.padStart(2, '0')}:${minutes}`
  return parseClockTime(whole) === null ? typed : whole
}
