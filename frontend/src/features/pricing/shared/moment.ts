import { z } from '~/kit/form/schema'
import { isDay, isNoDay } from '~/lib/days'
import { completeClockTime, parseClockTime } from '~/lib/duration'
import { minuteIn, momentIn } from '~/lib/zone'
import { installationZone } from '~/session/config'

/**
 * Converts a time to the text that forms use, in the time zone of the installation: `2027-01-01T00:00`, with
 * seconds only if they are not zero. `T` alone means no time.
 */
export const toMoment = (iso: string | null): string =>
  iso === null ? 'T' : `${minuteIn(installationZone(), Date.parse(iso))}${secondsOf(iso)}`

/**
 * Returns the seconds of a time, which the field does not show; they are kept until the user changes the
 * time.
 */
function secondsOf(iso: string): string {
  const seconds = /:\d\d:(\d\d(?:\.\d+)?)/.exec(iso)?.[1] ?? '00'
  return Number(seconds) === 0 ? '' : `:${seconds}`
}

/** Splits the text of a form into the day and the time of day as typed. */
export const splitMoment = (moment: string): [string, string] => {
  const [day = '', time = ''] = moment.split('T')
  return [day, time]
}

/** Converts the text of a form to the time that the API expects; null if it is incomplete or invalid. */
export function fromMoment(moment: string): string | null {
  const [day, time] = splitMoment(moment.trim())
  const [, seconds = ''] = /^\d\d:\d\d(:\d\d(?:\.\d+)?)$/.exec(time.trim()) ?? []
  const minutes = completeClockTime(seconds === '' ? time : time.trim().slice(0, 5))
  if (!isDay(day) || parseClockTime(minutes) === null) return null
  const at = new Date(momentIn(installationZone(), day, minutes))
  if (seconds === '') return at.toISOString()
  return at.toISOString().replace(/:00\.000Z$/, `${seconds}Z`)
}

/** Reports texts that are no valid time, or name a day that does not exist. */
function check({ value, issues }: z.core.ParsePayload<string>) {
  if (value.trim() === 'T' || fromMoment(value) !== null) return
  issues.push({ code: 'custom', input: value, path: [], message: isNoDay(splitMoment(value.trim())[0]) ? 'noSuchDay' : 'moment' })
}

/** Schema of a required time; its output is in the API's format. */
export const moment = () =>
  z.pipe(
    z.string().check(
      z.refine((value) => value.trim() !== 'T', 'required'),
      check,
    ),
    z.transform((value: string) => fromMoment(value) ?? ''),
  )

/** Schema of an optional time; an empty text becomes null. */
export const nullableMoment = () =>
  z.pipe(
    z.string().check(check),
    z.transform((value: string) => fromMoment(value)),
  )
