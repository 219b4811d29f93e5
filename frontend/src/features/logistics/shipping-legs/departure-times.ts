import { parseClockTime } from '~/lib/duration'
import type { Departure } from './departure-text'

/** Durations of a leg in minutes, in the order in which they follow each other. */
export const PHASES = ['preparation_duration', 'loading_duration', 'travel_duration', 'unloading_duration'] as const
export type Phase = (typeof PHASES)[number]
export type Durations = Readonly<Record<Phase, number>>

/** Times of a departure by the clock; offsets are days before or after it. */
export interface DepartureTimes extends Departure {
  start_time: string
  order_time: string
  order_day_offset: number
  arrival_time: string
  arrival_day_offset: number
}

const DAY = 1440

const clockTime = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')

function split(minutes: number): { time: string; offset: number } {
  const offset = Math.floor(minutes / DAY)
  return { time: clockTime(minutes - offset * DAY), offset }
}

/**
 * Order and arrival of a departure, as the server derives them. Goods are ordered before preparation and loading, or by `orderTime`; one
 * that is later than the departure is one of the day before.
 */
export function departureTimes({ weekday, time }: Departure, durations: Durations, orderTime: string | null): DepartureTimes {
  const start = parseClockTime(time) ?? 0
  const order = split(start - durations.loading_duration - durations.preparation_duration)
  const arrival = split(start + durations.travel_duration + durations.unloading_duration)
  return {
    weekday,
    time,
    start_time: time,
    order_time: orderTime ?? order.time,
    order_day_offset: orderTime === null ? order.offset : orderTime > time ? -1 : 0,
    arrival_time: arrival.time,
    arrival_day_offset: arrival.offset,
  }
}

/** A part of a leg's bar, in minutes from its beginning. */
export interface Span {
  phase: Phase
  from: number
  to: number
}

/** Phases of a leg that take any time, one behind the other. */
export function spansOf(durations: Durations): Span[] {
  let end = 0
  return PHASES.flatMap((phase) => {
    const from = end
    end += durations[phase]
    return end > from ? [{ phase, from, to: end }] : []
  })
}
