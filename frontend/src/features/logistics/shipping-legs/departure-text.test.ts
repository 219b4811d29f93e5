import { describe, expect, it } from 'vitest'
import { type Departure, weekdayValues } from '~/api/schema'
import { formatDepartures, parseDepartures, sortDepartures } from './departure-text'

const WORKING = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const
const at = (days: readonly Departure['weekday'][], ...times: string[]): Departure[] =>
  days.flatMap((weekday) => times.map((time) => ({ weekday, time })))

describe('departures as people write them', () => {
  it.each<[string, Departure[]]>([
    ['Mo-Fr 06:00, 14:30', at(WORKING, '06:00', '14:30')],
    ['mo – fr 6.00 14.30', at(WORKING, '06:00', '14:30')],
    ['Montag bis Freitag um 6 Uhr und 1430 Uhr', at(WORKING, '06:00', '14:30')],
    ['Mon-Fri 06:00 and 14:30', at(WORKING, '06:00', '14:30')],
    ['Monday to Friday at 6:00, 14:30', at(WORKING, '06:00', '14:30')],
    ['Di, Do 9:05; Sa 8', [...at(['tuesday', 'thursday'], '09:05'), ...at(['saturday'], '08:00')]],
    ['Di/Do 09:05\nSa 08:00', [...at(['tuesday', 'thursday'], '09:05'), ...at(['saturday'], '08:00')]],
    ['Mo. 06:00 Mi. 07:00', [...at(['monday'], '06:00'), ...at(['wednesday'], '07:00')]],
    ['Fr-Mo 10:00', at(['monday', 'friday', 'saturday', 'sunday'], '10:00')],
    ['Mo, Mi-Fr 10:00', at(['monday', 'wednesday', 'thursday', 'friday'], '10:00')],
    ['täglich 23:59', at(weekdayValues, '23:59')],
    ['daily 00:00', at(weekdayValues, '00:00')],
    ['Mo 06:00, Mo 06:00', at(['monday'], '06:00')],
    ['Sa 08:00, Mo 06:00', [...at(['monday'], '06:00'), ...at(['saturday'], '08:00')]],
    ['', []],
  ])('%s', (text, departures) => expect(parseDepartures(text)).toEqual({ departures }))

  it.each([
    ['06:00', 'weekday_missing', '06:00'],
    ['Mo-Fr', 'time_missing', 'Mo Fr'],
    ['Mo 06:00; Di', 'time_missing', 'Di'],
    ['Mo-', 'time_missing', 'Mo'],
    ['Mo 25:00', 'unreadable', '25:00'],
    ['Mo 24', 'unreadable', '24'],
    ['Mo 06:60', 'unreadable', '06:60'],
    ['Mo 06:00-14:00', 'unreadable', '-'],
    ['Mo-06:00', 'unreadable', '06:00'],
    ['Montags 06:00', 'unreadable', 'Montags'],
    ['Mo 06:00 ?', 'unreadable', '?'],
    ['- Mo 06:00', 'unreadable', '-'],
    ['Mo-täglich 06:00', 'unreadable', 'täglich'],
  ])('%s is refused: %s', (text, problem, at) => expect(parseDepartures(text)).toEqual({ problem, at }))
})

describe('departures as they are shown', () => {
  it.each<[Departure[], string, string]>([
    [at(WORKING, '06:00', '14:30'), 'Mo–Fr 06:00, 14:30', 'Mon–Fri 06:00, 14:30'],
    [[...at(['friday', 'tuesday'], '07:00'), ...at(['saturday'], '08:00')], 'Di, Fr 07:00; Sa 08:00', 'Tue, Fri 07:00; Sat 08:00'],
    [at(['monday', 'tuesday'], '07:00'), 'Mo, Di 07:00', 'Mon, Tue 07:00'],
    [[], '', ''],
  ])('%#', (departures, de, en) => {
    expect(formatDepartures(departures, 'de')).toBe(de)
    expect(formatDepartures(departures, 'en')).toBe(en)
  })

  it('are read as what they were', () => {
    // every subset of the week, with times that differ by day
    for (let subset = 0; subset < 128; subset++) {
      const days = weekdayValues.filter((_, day) => subset & (1 << day))
      const departures = sortDepartures(days.flatMap((weekday, place) => at([weekday], '14:30', place % 3 === 0 ? '06:00' : '05:15')))
      for (const lang of ['de', 'en'] as const) expect(parseDepartures(formatDepartures(departures, lang))).toEqual({ departures })
    }
  })
})
