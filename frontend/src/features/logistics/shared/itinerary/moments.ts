import { daysFrom, isDay } from '~/lib/days'
import { completeClockTime, parseClockTime } from '~/lib/duration'
import type { Lang } from '~/lib/lang'
import { dayIn, minuteIn, momentIn } from '~/lib/zone'

const MINUTE = 60_000
const HOUR = 60
const DAY = 24 * HOUR

const LOCALE: Record<Lang, string> = { de: 'de-DE', en: 'en-GB' }

/** Whole minutes from one time to another. */
export const minutesBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / MINUTE)

/** Formats a duration as `12 Minuten`, `6 h 30 min` or `2 Tage 4 h`. */
export function durationText(minutes: number, lang: Lang): string {
  const unit = (value: number, unit: 'minute' | 'day') =>
    new Intl.NumberFormat(LOCALE[lang], { style: 'unit', unit, unitDisplay: 'long' }).format(value)
  if (minutes < HOUR) return unit(minutes, 'minute')
  const [days, hours, rest] = [Math.floor(minutes / DAY), Math.floor((minutes % DAY) / HOUR), minutes % HOUR]
  return [
    ...(days > 0 ? [unit(days, 'day')] : []),
    ...(hours > 0 ? [`${hours}\u00a0h`] : []),
    ...(rest > 0 ? [`${rest}\u00a0min`] : []),
  ].join(' ')
}

/** Formats a day as `Donnerstag, 3. Juni`, with the year if it differs from that of `relativeTo`. */
export function dayText(day: string, lang: Lang, relativeTo: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  const year = Number(day.slice(0, 4)) === new Date(relativeTo).getFullYear() ? {} : { year: 'numeric' as const }
  const parts = { timeZone: 'UTC', day: 'numeric', month: 'long', ...year } as const
  const weekday = new Intl.DateTimeFormat(LOCALE[lang], { timeZone: 'UTC', weekday: 'long' }).format(date)
  return `${weekday}, ${new Intl.DateTimeFormat(LOCALE[lang], parts).format(date)}`
}

/** Formats a time as `Donnerstag, 3. Juni, 06:00`. */
export function momentText(at: string, zone: string, lang: Lang, relativeTo: number): string {
  const [day = '', time = ''] = minuteIn(zone, Date.parse(at)).split('T')
  return `${dayText(day, lang, relativeTo)}, ${time}`
}

/**
 * Formats a time as `Mi 11:30` on the day of `relativeTo` and the five days after it, otherwise as `Mi 02.06.,
 * 11:30`.
 */
export function shortMomentText(at: string, zone: string, lang: Lang, relativeTo: number): string {
  const [day = '', time = ''] = minuteIn(zone, Date.parse(at)).split('T')
  const date = new Date(`${day}T00:00:00Z`)
  const weekday = new Intl.DateTimeFormat(LOCALE[lang], { timeZone: 'UTC', weekday: 'short' }).format(date)
  const days = (Date.parse(day) - Date.parse(dayIn(zone, relativeTo))) / (DAY * MINUTE)
  if (days >= 0 && days < 6) return `${weekday} ${time}`
  const [year, month, dayOfMonth] = day.split('-')
  const separator = lang === 'de' ? '.' : '-'
  const isThisYear = Number(year) === new Date(relativeTo).getFullYear()
  const dateText = isThisYear ? `${dayOfMonth}${separator}${month}${lang === 'de' ? '.' : ''}` : [dayOfMonth, month, year].join(separator)
  return `${weekday} ${dateText}, ${time}`
}

/**
 * Converts a day and a time in the time zone of the installation; null if they are invalid. Without a time
 * it is midnight.
 */
export function momentOf({ day, time }: { day: string; time: string }, zone: string): string | null {
  const clock = time === '' ? '00:00' : completeClockTime(time)
  if (!isDay(day) || parseClockTime(clock) === null) return null
  return new Date(momentIn(zone, day, clock)).toISOString()
}

/** Last whole minute at which an order is in time. */
export const lastMinute = ({ at, is_inclusive }: { at: string; is_inclusive: boolean }): number =>
  Date.parse(at) - (is_inclusive ? 0 : MINUTE)

/** Calendar days from one moment to another. */
export const daysBetween = (from: string, to: string, zone: string): number =>
  daysFrom(dayIn(zone, Date.parse(from)), dayIn(zone, Date.parse(to)))
