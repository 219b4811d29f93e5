import type { Itinerary, ItineraryActivity, SkipReason } from '~/api/schema'
import type { Band, TimelineBar } from '~/kit/plot/timeline'
import type { Tone } from '~/kit/plot/tones'
import { addDays } from '~/lib/days'
import { dayStartIn } from '~/lib/zone'

/** Timeline of an itinerary: its time, lanes, bars and bands. */
export interface Drawing {
  from: number
  to: number
  lanes: Lane[]
  bars: TimelineBar[]
  bands: Band[]
}

/** Location of the goods: the warehouse that they come from, or a leg. */
export type Lane = { kind: 'warehouse' } | { kind: 'leg'; from: string; to: string }

export const TONES: Record<ItineraryActivity, Tone> = {
  waiting_for_departure: 'waiting',
  waiting_after_order_time: 'waiting',
  preparation: 'busy',
  loading: 'busy',
  travel: 'busy',
  waiting_for_opening: 'idle',
  unloading: 'busy',
}

const READINESS_TONES = { skipped: 'idle', waiting: 'waiting', preparation: 'busy' } as const

/** True for reasons for which a whole day does not count. */
const isDayOff = ({ code }: SkipReason) => code === 'public_holiday' || code === 'closed' || code === 'not_in_working_week'

/** Lays out an itinerary; null if it takes no time. */
export function drawingOf(itinerary: Itinerary, zone: string): Drawing | null {
  const { ordered_at, in_stock_at, arrives_at, readiness, stages } = itinerary
  if (ordered_at === null || arrives_at === null || Date.parse(arrives_at) <= Date.parse(ordered_at)) return null
  const lanes: Lane[] = []
  const bars: TimelineBar[] = []
  const bands: Band[] = []
  const add = (from: string, to: string, tone: Tone) =>
    bars.push({ from: Date.parse(from), to: Date.parse(to), lane: lanes.length - 1, tone })
  const hatch = (from: number, to: number) => bands.push({ from, to, lane: lanes.length - 1 })
  const startAt = Date.parse(ordered_at)
  const ends = Date.parse(arrives_at)

  if (readiness || (in_stock_at !== null && in_stock_at !== ordered_at)) {
    lanes.push({ kind: 'warehouse' })
    if (in_stock_at !== null && in_stock_at !== ordered_at) add(ordered_at, in_stock_at, 'waiting')
    for (const { what, from, to, because } of readiness?.steps ?? []) {
      // an order after the cut-off waits during a working day
      if (what === 'skipped' && because.code !== 'after_cut_off') hatch(Date.parse(from), Date.parse(to))
      else add(from, to, READINESS_TONES[what])
    }
  }
  let leg: number | null = null
  for (const stage of stages) {
    if (stage.leg.id !== leg) {
      leg = stage.leg.id
      lanes.push({ kind: 'leg', from: stage.leg.sending_node.name, to: stage.leg.receiving_node.name })
    }
    if (stage.activity === 'waiting_for_opening') hatch(Date.parse(stage.begins_at), Date.parse(stage.ends_at))
    else add(stage.begins_at, stage.ends_at, TONES[stage.activity])
    const closed = new Set(stage.skipped.filter(({ reason }) => isDayOff(reason)).map(({ date }) => date))
    for (const date of closed) {
      const [from, to] = [dayStartIn(zone, date), dayStartIn(zone, addDays(date, 1))]
      if (from < ends && to > startAt) hatch(Math.max(from, startAt), Math.min(to, ends))
    }
  }
  return { from: startAt, to: ends, lanes, bars, bands }
}
