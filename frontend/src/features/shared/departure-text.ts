import { type Departure, weekdayValues } from '~/api/schema'
import { weekdayNames } from '~/lib/dates'
import { completeClockTime, parseClockTime } from '~/lib/duration'
import { fold } from '~/lib/fold'
import type { Lang } from '~/lib/lang'

/** Departures of a text, or the first part of it that could not be read. */
export type DepartureReading = { departures: Departure[] } | { problem: 'unreadable' | 'weekday_missing' | 'time_missing'; at: string }

const LANGUAGES: readonly Lang[] = ['de', 'en']

/** Weekdays by their names in both languages, long and short, without accents and dots. */
const WEEKDAYS: ReadonlyMap<string, number> = new Map(
  LANGUAGES.flatMap((lang) =>
    (['short', 'long'] as const).flatMap((style) =>
      weekdayNames(lang, style).map((name, day) => [fold(name).replace('.', ''), day] as const),
    ),
  ).concat([
    ['tues', 1],
    ['thur', 3],
    ['thurs', 3],
    ['sonnabend', 5],
  ]),
)
const EVERY_DAY_WORDS = new Set(['taglich', 'daily'])
/** Words between the days of a range. */
const RANGE_WORDS = new Set(['-', '\u2013', '\u2014', 'bis', 'to', 'until'])
/** Words and signs that are ignored as separators. */
const SEPARATOR_WORDS = new Set([',', ';', '/', '&', '+', 'und', 'and', 'um', 'at', 'uhr', 'h', 'je', 'jeweils'])

const TOKENS = /\d{1,2}[:.]\d{2}(?!\d)|\d+|\p{L}+\.?|[^\s\d\p{L}]/gu

const EACH_DAY = weekdayValues.map((_, day) => day)

const daysBetween = (from: number, to: number): number[] => {
  const length = ((to - from + 7) % 7) + 1
  return Array.from({ length }, (_, step) => (from + step) % 7)
}

/** Completes a typed time of day, including `6` and `06`; other text is returned unchanged. */
export const completeDepartureTime = (typed: string): string => completeClockTime(/^\d{1,2}$/.test(typed) ? `${typed}:00` : typed)

/** Sorts departures by weekday and time and removes duplicates. */
export function sortDepartures(departures: readonly Departure[]): Departure[] {
  const sortKey = ({ weekday, time }: Departure) => `${weekdayValues.indexOf(weekday)} ${time}`
  return [...new Map(departures.map((departure) => [sortKey(departure), departure]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, departure]) => departure)
}

/**
 * Parses departures such as `Mo-Fr 06:00, 14:30; Sa 8 Uhr`. Weekdays may be in either language; the times
 * after them apply to all of them, until other weekdays follow.
 */
export function parseDepartures(text: string): DepartureReading {
  const departures: Departure[] = []
  let days: number[] = []
  let group = ''
  let hasTimes = true
  let isRange = false
  for (const [token] of text.matchAll(TOKENS)) {
    const word = fold(token).replace(/\.$/, '')
    const day = WEEKDAYS.get(word)
    if (day !== undefined || EVERY_DAY_WORDS.has(word)) {
      if (isRange && (day === undefined || days.length === 0)) return { problem: 'unreadable', at: token }
      if (hasTimes) [days, group] = [[], '']
      const last = days.at(-1)
      days.push(...(day === undefined ? EACH_DAY : isRange && last !== undefined ? daysBetween(last, day) : [day]))
      group = group ? `${group} ${token}` : token
      hasTimes = false
      isRange = false
    } else if (RANGE_WORDS.has(word)) {
      if (hasTimes || isRange) return { problem: 'unreadable', at: token }
      isRange = true
    } else if (/^\d/.test(word)) {
      const time = completeDepartureTime(word)
      if (isRange || parseClockTime(time) === null) return { problem: 'unreadable', at: token }
      if (days.length === 0) return { problem: 'weekday_missing', at: token }
      departures.push(...days.flatMap((at) => weekdayValues.slice(at, at + 1).map((weekday) => ({ weekday, time }))))
      hasTimes = true
    } else if (!SEPARATOR_WORDS.has(word)) {
      return { problem: 'unreadable', at: token }
    }
  }
  if (isRange || !hasTimes) return { problem: 'time_missing', at: group }
  return { departures: sortDepartures(departures) }
}

/** Formats weekdays as `Mo–Fr, So`; a range needs at least three days. */
export function formatWeekdays(days: readonly number[], lang: Lang): string {
  const names = weekdayNames(lang, 'short')
  const runs: number[][] = []
  for (const day of days) {
    const run = runs.at(-1)
    if (run && run.at(-1) === day - 1) run.push(day)
    else runs.push([day])
  }
  return runs
    .flatMap((run) => (run.length > 2 ? [`${names[run[0] ?? 0]}\u2013${names[run.at(-1) ?? 0]}`] : run.map((day) => names[day])))
    .join(', ')
}

/** Formats departures as `Mo–Fr 06:00, 14:30; Sa 08:00`. Days with the same times are grouped. */
export function formatDepartures(departures: readonly Departure[], lang: Lang): string {
  const groups = new Map<string, number[]>()
  for (const [day, weekday] of weekdayValues.entries()) {
    const times = sortDepartures(departures.filter((departure) => departure.weekday === weekday)).map(({ time }) => time)
    if (times.length === 0) continue
    const key = times.join(', ')
    groups.set(key, [...(groups.get(key) ?? []), day])
  }
  return [...groups].map(([times, days]) => `${formatWeekdays(days, lang)} ${times}`).join('; ')
}
