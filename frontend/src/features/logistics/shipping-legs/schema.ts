import { type DepartureException, type ShippingLeg, weekdayValues } from '~/api/schema'
import { bodySchema, choice, clockTime, code, duration, type Issue, ref, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'
import { isDay } from '~/lib/days'
import { formatDuration, parseClockTime } from '~/lib/duration'

type LegInput = BodyOf<'/api/admin/shipping-legs'>
/** Input of a leg; for a new one, also if the way back is created as well. */
export type ShippingLegBody = LegInput & { both_directions: boolean }

/** First day that calendars support. */
export const FIRST_DAY = '2000-01-01'
const DEPARTURES_MAX = 100
const EXCEPTIONS_MAX = 400
export const EXCEPTION_TYPES = ['dropped', 'added'] as const

/** Schema of a required time of day. */
const time = () =>
  z.string().check(
    z.minLength(1, 'required'),
    z.refine((value) => value === '' || parseClockTime(value) !== null, 'clockTime'),
  )

const day = () =>
  z.string().check(
    z.minLength(1, 'required'),
    z.refine((value) => value === '' || isDay(value), 'date'),
    z.refine((value) => !isDay(value) || value >= FIRST_DAY, 'shippingLegs:rules.year'),
  )

const shape = {
  sending_node_id: ref(),
  receiving_node_id: ref(),
  preparation_duration: duration(),
  loading_duration: duration(),
  travel_duration: duration(),
  unloading_duration: duration(),
  order_time: clockTime(),
  departures: z.array(z.object({ weekday: choice(weekdayValues), time: time() })),
  exceptions: z.array(z.object({ date: day(), time: clockTime(), type: choice(EXCEPTION_TYPES) })),
  both_directions: z.boolean(),
}

function nodeRules({ sending_node_id, receiving_node_id }: ShippingLegBody): Issue[] {
  if (sending_node_id === null || sending_node_id !== receiving_node_id) return []
  return [{ path: ['receiving_node_id'], message: 'shippingLegs:rules.sameNode' }]
}

function durationRules({ travel_duration }: ShippingLegBody): Issue[] {
  return travel_duration === 0 ? [{ path: ['travel_duration'], message: 'shippingLegs:rules.travelTakesTime' }] : []
}

function departureRules({ departures }: ShippingLegBody): Issue[] {
  if (departures.length > DEPARTURES_MAX) return [{ path: ['departures'], message: code('atMost', { max: DEPARTURES_MAX }) }]
  const keys = new Set<string>()
  return departures.flatMap(({ weekday, time }, at): Issue[] => {
    const key = `${weekday} ${time}`
    if (parseClockTime(time) === null || !keys.has(key)) {
      keys.add(key)
      return []
    }
    return [{ path: ['departures', at, 'time'], message: 'duplicate' }]
  })
}

type Exceptions = ShippingLegBody['exceptions']

/** Finds exceptions that are duplicates, contradict each other, or are covered by a dropped day. */
function contradictions(exceptions: Exceptions): Issue[] {
  const typesByKey = new Map<string, Exceptions[number]['type']>()
  const wholeDays = new Set(exceptions.filter(({ time, type }) => !time && type === 'dropped').map(({ date }) => date))
  return exceptions
    .flatMap(({ date, time, type }, at): Issue[] => {
      if (!isDay(date) || (type === 'added' && !time) || (time && parseClockTime(time) === null)) return []
      const key = `${date} ${time ?? ''}`
      const other = typesByKey.get(key)
      typesByKey.set(key, type)
      if (other === type) return [{ path: ['exceptions', at, 'date'], message: 'duplicate' }]
      if (other !== undefined) return [{ path: ['exceptions', at, 'type'], message: 'shippingLegs:rules.exceptionsContradict' }]
      return []
    })
    .concat(
      exceptions.flatMap(({ date, time, type }, at): Issue[] =>
        type === 'dropped' && time && parseClockTime(time) !== null && wholeDays.has(date)
          ? [{ path: ['exceptions', at, 'time'], message: 'shippingLegs:rules.dayDropped' }]
          : [],
      ),
    )
}

function exceptionRules({ exceptions }: ShippingLegBody): Issue[] {
  if (exceptions.length > EXCEPTIONS_MAX) return [{ path: ['exceptions'], message: code('atMost', { max: EXCEPTIONS_MAX }) }]
  return [
    ...exceptions.flatMap(({ time, type }, at): Issue[] =>
      type === 'added' && !time ? [{ path: ['exceptions', at, 'time'], message: 'required' }] : [],
    ),
    ...contradictions(exceptions),
  ]
}

const rules = z.check<ShippingLegBody>(
  ({ value, issues }) => {
    for (const rule of [nodeRules, durationRules, departureRules, exceptionRules]) {
      for (const issue of rule(value)) issues.push({ code: 'custom', input: value, ...issue })
    }
  },
  // runs even if single fields are invalid, so that all errors are shown together
  { when: () => true },
)

export const shippingLegSchema = bodySchema<ShippingLegBody>()(shape).check(rules)

export interface ExceptionForm {
  date: string
  time: string
  type: DepartureException['type']
}

export const NO_EXCEPTION: ExceptionForm = { date: '', time: '', type: 'dropped' }

export const toForm = (row: ShippingLeg | null) => ({
  sending_node_id: row?.sending_node.id ?? null,
  receiving_node_id: row?.receiving_node.id ?? null,
  preparation_duration: formatDuration(row?.preparation_duration ?? 0),
  loading_duration: formatDuration(row?.loading_duration ?? 0),
  travel_duration: row ? formatDuration(row.travel_duration) : '',
  unloading_duration: formatDuration(row?.unloading_duration ?? 0),
  order_time: row?.order_time ?? '',
  departures: row?.departures ?? [],
  exceptions: (row?.exceptions ?? []).map(({ date, time, type }): ExceptionForm => ({ date, time: time ?? '', type })),
  both_directions: false,
})
export type ShippingLegForm = ReturnType<typeof toForm>

/** Copy of the timetable without the receiver, since a leg to that one exists already. */
export const toCopy = (row: ShippingLeg): ShippingLegForm => ({ ...toForm(row), receiving_node_id: null, exceptions: [] })
