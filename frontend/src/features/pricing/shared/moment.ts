import { z } from '~/kit/form/schema'
import { isDay, isNoDay } from '~/lib/days'
import { completeClockTime, parseClockTime } from '~/lib/duration'
import { minuteIn, momentIn } from '~/lib/zone'
import { installationZone } from '~/session/config'

/**
 * A moment as a form holds it, by the installation's clocks: `2027-01-01T00:00`, of a second only where it has any. `T` alone is none.
 */
export const toMoment = (iso: string | null): string =>
  iso === null ? 'T' : `${minuteIn(installationZone(), Date.parse(iso))}${rest(iso)}`

/** What of a moment no minute says: it stays as long as nobody changes the time. */
function rest(iso: string): string {
  const seconds = /:\d\d:(\d\d(?:\.\d+)?)/.exec(iso)?.[1] ?? '00'
  return Number(seconds) === 0 ? '' : `:${seconds}`
}

/** The two halves of a moment of a form: the day, and the time of day as it was typed. */
export const halves = (moment: string): [string, string] => {
  const [day = '', time = ''] = moment.split('T')
  return [day, time]
}

/** As on the wire; null while it is none. */
export function fromMoment(moment: string): string | null {
  const [day, time] = halves(moment.trim())
  const [, seconds = ''] = /^\d\d:\d\d(:\d\d(?:\.\d+)?)$/.exec(time.trim()) ?? []
  const minutes = completeClockTime(seconds === '' ? time : time.trim().slice(0, 5))
  if (!isDay(day) || parseClockTime(minutes) === null) return null
  const at = new Date(momentIn(installationZone(), day, minutes))
  if (seconds === '') return at.toISOString()
  return at.toISOString().replace(/:00\.000Z$/, `${seconds}Z`)
}

/** Says whether it is none, or of a day that there is not. */
function check({ value, issues }: z.core.ParsePayload<string>) {
  if (value.trim() === 'T' || fromMoment(value) !== null) return
  issues.push({ code: 'custom', input: value, path: [], message: isNoDay(halves(value.trim())[0]) ? 'noSuchDay' : 'moment' })
}

/** A moment of a form, as on the wire. */
export const moment = () =>
  z.pipe(
    z.string().check(
      z.refine((value) => value.trim() !== 'T', 'required'),
      check,
    ),
    z.transform((value: string) => fromMoment(value) ?? ''),
  )

/** The same where there need not be any: none becomes null. */
export const nullableMoment = () =>
  z.pipe(
    z.string().check(check),
    z.transform((value: string) => fromMoment(value)),
  )
