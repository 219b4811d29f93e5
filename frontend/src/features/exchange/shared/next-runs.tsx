import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { UseQueryOptions } from '@tanstack/react-query'
import { useId } from 'react'
import { type Control, type FieldValues, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { FtpRun, FtpRunReason, FtpRuns, FtpSchedule } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { usePreview } from '~/kit/form/use-preview'
import { completeClockTime } from '~/lib/duration'
import { useConfig } from '~/session/config'
import { type ScheduleForm, scheduleSchema } from './schedule'

/** Query for the next runs of a schedule that is being edited. */
// biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
export type PreviewRuns = (schedule: FtpSchedule) => UseQueryOptions<any, any, FtpRuns, any>

interface Props {
  control: Control<FieldValues, unknown, FieldValues>
  /** Name of the field with the schedule. */
  name: string
  preview: PreviewRuns
}

/** Completes times while they are typed: `6:00` is read as `06:00` before the field loses focus. */
const completeTimes = (schedule: ScheduleForm) => ({
  ...schedule,
  time: completeClockTime(schedule.time),
  time_2: completeClockTime(schedule.time_2),
})

/** List of the next five runs of the edited schedule, with a reason for each time that was moved. */
export function NextRuns({ control, name, preview }: Props) {
  const { t } = useTranslation('ftpSettings')
  const id = useId()
  const schedule = scheduleSchema.safeParse(completeTimes(useWatch({ control, name }))).data ?? null
  const { data, isPlaceholderData } = usePreview(preview, schedule)
  if (!schedule) return null
  return (
    <Box component="section" aria-labelledby={id} sx={{ opacity: isPlaceholderData ? 0.6 : 1 }}>
      <Typography variant="h3" id={id} sx={{ mb: 1 }}>
        {t('runs.title')}
      </Typography>
      {schedule.paused ? (
        <Typography variant="body2" color="textSecondary">
          {t('runs.paused')}
        </Typography>
      ) : (
        <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 0.75 }}>
          {data?.runs.map((run) => (
            <Run key={run.at} run={run} />
          ))}
        </Box>
      )}
    </Box>
  )
}

function Run({ run: { at, reasons } }: { run: FtpRun }) {
  const { t } = useTranslation('ftpSettings')
  const { weekdayTime } = useFormat()
  const { time_zone: zone } = useConfig()
  const text = ({ code, day, time }: FtpRunReason) => t(`runs.${code}`, { day, time })
  return (
    <li>
      <Typography variant="body2" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        {weekdayTime(at, zone)}
      </Typography>
      {reasons.length > 0 && (
        <Typography variant="caption" color="textSecondary">
          {reasons.map(text).join(' ')}
        </Typography>
      )}
    </li>
  )
}
