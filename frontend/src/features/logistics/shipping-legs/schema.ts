import { type DepartureException, type ShippingLeg, weekdayValues } from '~/api/schema'
import { bodySchema, choice, clockTime, code, duration, type Issue, ref, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'
import { isDay } from '~/lib/days'
import { formatDuration, parseClockTime } from '~/lib/duration'

type LegInput = BodyOf<'/api/admin/shipping-legs'>
/** Input of a leg; of one that is being created, whether its way back is created as well. */
export type ShippingLegBody = LegInput & { both_directions: boolean }

/** The first day that calendars know. */
export const FIRST_DAY = '2000-01-01'
const DEPARTURES_MAX = 100
const EXCEPTIONS_MAX = 400
export const EXCEPTION_TYPES = ['dropped', 'added'] as const

/** A time of day that has to be there. */
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
  const seen = new Set<string>()
  return departures.flatMap(({ weekday, time }, at): Issue[] => {
    const key = `${weekday} ${time}`
    if (parseClockTime(time) === null || !seen.has(key)) {
      seen.add(key)
      return []
    }
    return [{ path: ['departures', at, 'time'], message: 'duplicate' }]
  })
}

type Exceptions = ShippingLegBody['exceptions']

/** An exception that is there twice, that contradicts another, or that a dropped day includes. */
function contradictions(exceptions: Exceptions): Issue[] {
  const known = new Map<string, Exceptions[number]['type']>()
  const wholeDays = new Set(exceptions.filter(({ time, type }) => !time && type === 'dropped').map(({ date }) => date))
  return exceptions
    .flatMap(({ date, time, type }, at): Issue[] => {
      if (!isDay(date) || (type === 'added' && !time) || (time && parseClockTime(time) === null)) return []
      const key = `${date} ${time ?? ''}`
      const other = known.get(key)
      known.set(key, type)
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
  // also where single fields are wrong: everything is said at once
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

/** A copy of the timetable without the receiver, to which there is a leg already. */
export const toCopy = (row: ShippingLeg): ShippingLegForm => ({ ...toForm(row), receiving_node_id: null, exceptions: [] })
