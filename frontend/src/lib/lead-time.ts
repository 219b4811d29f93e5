/**
 * Lead times. Same rules as the server's values/duration.rs; both are tested with
 * testdata/rules/duration.json.
 */

import { DAY, DURATION_MAX, minutesOf, wholeMinutes } from './duration'
import { fold } from './fold'
import { stripInvisible } from './reader'

/** Units in minutes of working days; a week has five. */
const UNITS: readonly (readonly [pattern: RegExp, minutes: number])[] = [
  [/^(d|tag|tage|tagen|days?|at|wt|(arbeits|werk)tag(en?)?|(working|business) days?)$/, DAY],
  [/^(w|wo|woche|wochen|weeks?)$/, 5 * DAY],
  [/^(h|std|stunden?|hours?)$/, 60],
  [/^(min|minuten?|minutes)$/, 1],
]

/**
 * Parses a lead time in working days into minutes: `3`, `3 Tage`, `2 Wochen`, `48h`, `1 Tag 12h`, `sofort`;
 * for a range, `2-3 Tage`, the longer one. Null if it is none.
 */
export function parseLeadTime(input: string): number | null {
  const text = fold(stripInvisible(input))
  const minutes = leadTime(longerOfRange(text) ?? text)
  return minutes !== null && minutes <= DURATION_MAX ? minutes : null
}

function longerOfRange(text: string): string | null {
  const [, shorter, longer = '', number] = /^(\d+)\s*(?:-|–|bis|to)\s*((\d+).*)$/.exec(text) ?? []
  return shorter !== undefined && Number(shorter) < Number(number) ? longer : null
}

function leadTime(text: string): number | null {
  if (/^(sofort|immediate|immediately)$/.test(text)) return 0
  return parseAmount(text) ?? daysAndClock(text) ?? clock(text)
}

/** Parses hours and minutes; a number without a unit means days and is not parsed here. */
const clock = (text: string) => (/[hm:]/.test(text) ? minutesOf(text.replaceAll(' ', '')) : null)

/** Parses a number with a unit of time; days without a unit. */
function parseAmount(text: string): number | null {
  const [, whole, fraction = '', name = ''] = /^(\d{1,12})(?:[.,](\d{1,6}))? ?(\p{Alphabetic}.*)?$/u.exec(text) ?? []
  const unit = name === '' ? DAY : UNITS.find(([pattern]) => pattern.test(name.replace(/\.+$/, '').trim()))?.[1]
  return whole === undefined || unit === undefined ? null : wholeMinutes(whole, fraction, unit)
}

/** Parses days with hours and minutes: `1 tag 12h`. */
function daysAndClock(text: string): number | null {
  const at = text.search(/(?<=\p{Alphabetic}\.?) (?=\d)/u)
  const [days, rest] = [parseAmount(text.slice(0, at)), clock(text.slice(at))]
  if (at < 0 || days === null || rest === null) return null
  return days % DAY === 0 && rest < DAY ? days + rest : null
}
