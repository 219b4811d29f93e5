import type { Departure, DepartureTime } from '~/api/schema'
import { parseClockTime } from '~/lib/duration'

/** Durations of a leg in minutes, in the order in which they take place. */
export const PHASES = ['preparation_duration', 'loading_duration', 'travel_duration', 'unloading_duration'] as const
export type Phase = (typeof PHASES)[number]
export type Durations = Readonly<Record<Phase, number>>

const DAY = 1440

const clockTime = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')

function split(minutes: number): { time: string; offset: number } {
  const offset = Math.floor(minutes / DAY)
  return { time: clockTime(minutes - offset * DAY), offset }
}

/**
 * Computes order and arrival of a departure as the server does. The order is due before preparation and
 * loading, or at `orderTime` if that is earlier; an order time after the departure belongs to the day
 * before.
 */
export function departureTimes({ weekday, time }: Departure, durations: Durations, orderTime: string | null): DepartureTime {
  const start = parseClockTime(time) ?? 0
  const latestReady = start - durations.loading_duration - durations.preparation_duration
  const order = split(
    orderTime === null ? latestReady : Math.min(latestReady, (parseClockTime(orderTime) ?? 0) - (orderTime > time ? DAY : 0)),
  )
  const arrival = split(start + durations.travel_duration + durations.unloading_duration)
  return {
    weekday,
    start_time: time,
    order_time: order.time,
    order_day_offset: order.offset,
    arrival_time: arrival.time,
    arrival_day_offset: arrival.offset,
  }
}

/** Part of a leg's bar, in minutes from its start. */
export interface PhaseSpan {
  phase: Phase
  from: number
  to: number
}

/** Phases of a leg with a duration, one after the other. */
export function spansOf(durations: Durations): PhaseSpan[] {
  let end = 0
  return PHASES.flatMap((phase) => {
    const from = end
    end += durations[phase]
    return end > from ? [{ phase, from, to: end }] : []
  })
}
