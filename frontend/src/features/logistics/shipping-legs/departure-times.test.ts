import { expect, it } from 'vitest'
import { departureTimes, spansOf } from './departure-times'

const durations = { preparation_duration: 60, loading_duration: 30, travel_duration: 600, unloading_duration: 45 }
const departure = (time: string) => ({ weekday: 'monday', time }) as const

it.each([
  // departure, order time of the leg; order and its days, arrival and its days
  ['14:00', null, '12:30', 0, '00:45', 1],
  ['13:14', null, '11:44', 0, '23:59', 0],
  ['13:15', null, '11:45', 0, '00:00', 1],
  ['01:30', null, '00:00', 0, '12:15', 0],
  ['01:29', null, '23:59', -1, '12:14', 0],
  ['14:00', '11:00', '11:00', 0, '00:45', 1],
  ['06:00', '16:00', '16:00', -1, '16:45', 0],
  // preparation and loading take longer than the order time allows
  ['06:00', '06:00', '04:30', 0, '16:45', 0],
  ['14:00', '12:31', '12:30', 0, '00:45', 1],
] as const)('departs %s with the order time %s', (time, orderTime, order_time, order_day_offset, arrival_time, arrival_day_offset) => {
  expect(departureTimes(departure(time), durations, orderTime)).toEqual({
    weekday: 'monday',
    start_time: time,
    order_time,
    order_day_offset,
    arrival_time,
    arrival_day_offset,
  })
})

it('counts days of a leg that takes several', () => {
  const long = { ...durations, preparation_duration: 2 * 1440, travel_duration: 3 * 1440 }
  expect(departureTimes(departure('06:00'), long, null)).toMatchObject({
    order_time: '05:30',
    order_day_offset: -2,
    arrival_time: '06:45',
    arrival_day_offset: 3,
  })
})

it('places phases one after the other, without empty ones', () => {
  expect(spansOf(durations)).toEqual([
    { phase: 'preparation_duration', from: 0, to: 60 },
    { phase: 'loading_duration', from: 60, to: 90 },
    { phase: 'travel_duration', from: 90, to: 690 },
    { phase: 'unloading_duration', from: 690, to: 735 },
  ])
  expect(spansOf({ ...durations, preparation_duration: 0, unloading_duration: 0 })).toEqual([
    { phase: 'loading_duration', from: 0, to: 30 },
    { phase: 'travel_duration', from: 30, to: 630 },
  ])
})
