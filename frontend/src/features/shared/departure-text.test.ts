import { describe, expect, it } from 'vitest'
import { type Departure, weekdayValues } from '~/api/schema'
import { readRules } from '~/test/rules'
import { formatDepartures, parseDepartures, sortDepartures } from './departure-text'

const at = (days: readonly Departure['weekday'][], ...times: string[]): Departure[] =>
  days.flatMap((weekday) => times.map((time) => ({ weekday, time })))

const cases = readRules<{
  read: { text: string; departures: string[] }[]
  refused: { text: string; at: string | null }[]
  written: { departures: string[]; de: string; en: string }[]
}>('departures.json')

const written = (departures: readonly Departure[]) => departures.map(({ weekday, time }) => `${weekday} ${time}`)

const departuresOf = (texts: readonly string[]) =>
  texts.map((text): Departure => {
    const [weekday = '', time = ''] = text.split(' ')
    return { weekday: weekday as Departure['weekday'], time }
  })

describe('departures in text', () => {
  it.each(cases.read)('$text', ({ text, departures }) => {
    const reading = parseDepartures(text)
    expect('departures' in reading ? written(reading.departures) : reading).toEqual(departures)
  })

  it.each(cases.refused)('$text is refused: $at', ({ text, at }) => {
    const reading = parseDepartures(text)
    const problem = 'problem' in reading ? reading.problem : null
    expect(problem === 'time_missing').toBe(at === null)
    if (at !== null) expect(reading).toMatchObject({ at })
  })

  it.each([
    ['06:00', 'weekday_missing', '06:00'],
    ['Mo-Fr', 'time_missing', 'Mo Fr'],
    ['Mo 06:00; Di', 'time_missing', 'Di'],
    ['Mo-', 'time_missing', 'Mo'],
    ['Mo 25:00', 'unreadable', '25:00'],
  ])('%s is refused as %s', (text, problem, at) => expect(parseDepartures(text)).toEqual({ problem, at }))
})

describe('formatted departures', () => {
  it.each(cases.written)('$de', ({ departures, de, en }) => {
    expect(formatDepartures(departuresOf(departures), 'de')).toBe(de)
    expect(formatDepartures(departuresOf(departures), 'en')).toBe(en)
  })

  it('are read as the same departures', () => {
    // every subset of the week, with times that differ by day
    for (let subset = 0; subset < 128; subset++) {
      const days = weekdayValues.filter((_, day) => subset & (1 << day))
      const departures = sortDepartures(days.flatMap((weekday, place) => at([weekday], '14:30', place % 3 === 0 ? '06:00' : '05:15')))
      for (const lang of ['de', 'en'] as const) expect(parseDepartures(formatDepartures(departures, lang))).toEqual({ departures })
    }
  })
})
