import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import OutlinedInput from '@mui/material/OutlinedInput'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Warehouse } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { DateInput } from '~/kit/form/date-input'
import { FieldShell } from '~/kit/form/field-shell'
import { usePreview } from '~/kit/form/use-preview'
import { Steps } from '~/kit/plot/steps'
import type { Tone } from '~/kit/plot/tones'
import { useRecordPage } from '~/kit/records/record-page-context'
import { Card } from '~/kit/ui/card'
import { useErrorText } from '~/kit/ui/error-text'
import { isDay } from '~/lib/days'
import { completeClockTime, parseClockTime } from '~/lib/duration'
import { useNow } from '~/lib/use-now'
import { minuteIn, momentIn } from '~/lib/zone'
import { useConfig } from '~/session/config'
import { warehouses } from './api'
import { useReasonText } from './use-reason-text'

const TONES: Record<'skipped' | 'waiting' | 'preparation', Tone> = { skipped: 'idle', waiting: 'waiting', preparation: 'busy' }

/** First day for which the server computes readiness. */
const FIRST = '2000-01-01'

/** Time in the time zone of the installation; null if the server does not support it. */
function momentOf(zone: string, { day, time }: { day: string; time: string }): Date | null {
  if (!isDay(day) || day < FIRST || parseClockTime(completeClockTime(time)) === null) return null
  return new Date(momentIn(zone, day, completeClockTime(time)))
}

/** Time at which an order placed now or at another time is ready, with the reasons. */
export default function ReadinessCard() {
  const { t } = useTranslation('warehouses')
  const id = useId()
  const format = useFormat()
  const errorText = useErrorText()
  const reason = useReasonText()
  const { row } = useRecordPage<Warehouse>()
  const now = useNow()
  const { time_zone: zone } = useConfig()
  const isOtherZone = zone !== Intl.DateTimeFormat().resolvedOptions().timeZone
  const [typed, setTyped] = useState<{ day: string; time: string } | null>(null)
  const [day = '', time = ''] = typed ? [typed.day, typed.time] : minuteIn(zone, now.getTime()).split('T')
  const moment = typed ? momentOf(zone, typed) : now
  const body = moment && { at: moment.toISOString() }
  const problem = moment ? null : t('readiness.noMoment')
  const descriptionProps = problem ? { 'aria-describedby': `${id}-problem` } : {}
  const { data, error, isPlaceholderData } = usePreview((body: { at: string }) => warehouses.readiness(row, body), body)
  return (
    <Card
      title={t('readiness.title')}
      intro={isOtherZone ? `${t('readiness.intro')} ${t('readiness.zone', { zone })}` : t('readiness.intro')}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-end', gap: 1, mb: 2 }}>
        <Box sx={{ width: 180 }}>
          <FieldShell id={`${id}-day`} label={t('readiness.at')} help="" error={null}>
            <DateInput
              id={`${id}-day`}
              value={day}
              min={FIRST}
              onChange={(next) => setTyped({ day: next, time })}
              error={problem !== null}
              inputProps={descriptionProps}
            />
          </FieldShell>
        </Box>
        <Box sx={{ width: 96 }}>
          <FieldShell id={`${id}-time`} label={t('readiness.time')} help="" error={null}>
            <OutlinedInput
              id={`${id}-time`}
              value={time}
              onChange={(event) => setTyped({ day, time: event.target.value })}
              onBlur={() => typed && setTyped({ day, time: completeClockTime(time) })}
              error={problem !== null}
              inputProps={{ inputMode: 'numeric', maxLength: 5, autoComplete: 'off', ...descriptionProps }}
            />
          </FieldShell>
        </Box>
        {typed !== null && <Button onClick={() => setTyped(null)}>{t('readiness.now')}</Button>}
      </Box>
      <Box aria-live="polite" aria-busy={isPlaceholderData} sx={{ opacity: isPlaceholderData ? 0.55 : 1 }}>
        {problem ? (
          <Alert severity="warning" id={`${id}-problem`}>
            {problem}
          </Alert>
        ) : error ? (
          <Alert severity="warning">{errorText(error)}</Alert>
        ) : data ? (
          <Typography variant="h3" component="p" sx={{ mb: 2 }}>
            {t(typed === null ? 'readiness.readyNow' : 'readiness.ready', { when: format.weekdayTime(data.ready_at, zone) })}
          </Typography>
        ) : (
          <Skeleton width="60%" />
        )}
      </Box>
      {data && !error && !problem && (
        <Steps
          label={t('readiness.title')}
          heads={{ from: t('readiness.from'), label: t('readiness.what'), because: t('readiness.because') }}
          steps={data.steps.map(({ from, to, what, because }) => ({
            from,
            to,
            tone: TONES[what],
            label: t(`enums.what.${what}`),
            because: reason(because),
          }))}
          end={t('readiness.end')}
          zone={zone}
        />
      )}
    </Card>
  )
}
