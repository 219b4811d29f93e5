import { type FtpSchedule, scheduleTypeValues } from '~/api/schema'
import { choice, clockTime, code, type Issue, nullableWhole, z } from '~/kit/form/schema'

const MONTH_MAX = 31
const DAYS = 7

const day = z.pipe(
  nullableWhole(),
  z.nullable(
    z.number().check(z.gte(1, code('notLess', { min: 1 })), z.lte(MONTH_MAX, code('ftpSettings:rules.atMost', { max: MONTH_MAX }))),
  ),
)

/** Fields of each type of schedule besides the time. */
export const FIELDS_OF = {
  daily: [],
  twice_daily: ['time_2'],
  weekly: ['day'],
  monthly: ['day'],
  twice_monthly: ['day', 'day_2', 'time_2'],
} as const satisfies Record<FtpSchedule['type'], readonly ('day' | 'day_2' | 'time_2')[]>

type EnteredSchedule = {
  type: FtpSchedule['type']
  day: number | null
  day_2: number | null
  time: string | null
  time_2: string | null
  paused: boolean
}

/** Finds fields that are missing or duplicated in a schedule. */
function issuesOf(schedule: EnteredSchedule): Issue[] {
  const { type, time, time_2 } = schedule
  const fields: readonly string[] = FIELDS_OF[type]
  if (time === null) return []
  const issues: Issue[] = []
  for (const name of ['day', 'day_2'] as const) {
    if (fields.includes(name) && schedule[name] === null) issues.push({ path: [name], message: 'required' })
  }
  if (type === 'weekly' && schedule.day !== null && schedule.day > DAYS)
    issues.push({ path: ['day'], message: code('ftpSettings:rules.atMost', { max: DAYS }) })
  if (fields.includes('day_2') && schedule.day !== null && schedule.day === schedule.day_2)
    issues.push({ path: ['day_2'], message: 'duplicate' })
  if (type === 'twice_daily' && time_2 === null) issues.push({ path: ['time_2'], message: 'required' })
  if (type === 'twice_daily' && time_2 === time) issues.push({ path: ['time_2'], message: 'duplicate' })
  return issues
}

/**
 * Schema of a schedule; without a time there is no schedule. Fields that do not belong to its type are left
 * out.
 */
export const scheduleSchema = z.pipe(
  z.object({ type: choice(scheduleTypeValues), day, day_2: day, time: clockTime(), time_2: clockTime(), paused: z.boolean() }).check(
    z.check(({ value, issues }) => {
      for (const issue of issuesOf(value)) issues.push({ code: 'custom', input: value, ...issue })
    }),
  ),
  z.transform(({ type, time, paused, ...rest }): FtpSchedule | null => {
    if (time === null) return null
    const fields: readonly string[] = FIELDS_OF[type]
    const own = <T>(name: 'day' | 'day_2' | 'time_2', value: T) => (fields.includes(name) ? value : null)
    return { type, time, paused, day: own('day', rest.day), day_2: own('day_2', rest.day_2), time_2: own('time_2', rest.time_2) }
  }),
)

/** Initial values of the form for a schedule. */
export const scheduleForm = (schedule: FtpSchedule | null | undefined) => ({
  type: schedule?.type ?? ('daily' as const),
  day: String(schedule?.day ?? ''),
  day_2: String(schedule?.day_2 ?? ''),
  time: schedule?.time ?? '',
  time_2: schedule?.time_2 ?? '',
  paused: schedule?.paused ?? false,
})

export type ScheduleForm = ReturnType<typeof scheduleForm>
