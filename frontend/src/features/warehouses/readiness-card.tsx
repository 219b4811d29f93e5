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
import { useErrorText } from '~/kit/feedback/error-text'
import { FieldShell } from '~/kit/form/field-shell'
import { usePreview } from '~/kit/form/use-preview'
import { useRecord } from '~/kit/record-page/record'
import { Steps, type Tone } from '~/kit/scale/steps'
import { Card } from '~/kit/shell/card'
import { localMinute } from '~/lib/dates'
import { useNow } from '~/lib/use-now'
import { warehouses } from './api'
import { useReasonText } from './use-reason-text'

const TONES: Record<'skipped' | 'waiting' | 'preparation', Tone> = { skipped: 'idle', waiting: 'waiting', preparation: 'busy' }

/** When an order of now, or of another moment, is ready, and why. */
export default function ReadinessCard() {
  const { t } = useTranslation('warehouses')
  const id = useId()
  const format = useFormat()
  const errorText = useErrorText()
  const reason = useReasonText()
  const { row } = useRecord<Warehouse>()
  const now = useNow()
  const [typed, setTyped] = useState<string | null>(null)
  const moment = typed === null ? now : new Date(typed)
  const asked = Number.isNaN(moment.getTime()) ? null : { at: moment.toISOString() }
  const { data, error, isPlaceholderData } = usePreview((body: { at: string }) => warehouses.readiness(row, body), asked)
  return (
    <Card title={t('readiness.title')} intro={t('readiness.intro')}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-end', gap: 1, mb: 2 }}>
        <Box sx={{ width: 240 }}>
          <FieldShell id={id} label={t('readiness.at')} help="" error={null}>
            <OutlinedInput
              id={id}
              type="datetime-local"
              value={typed ?? localMinute(now)}
              onChange={(event) => setTyped(event.target.value)}
              inputProps={{ min: '2000-01-01T00:00', max: '2099-12-31T23:59' }}
            />
          </FieldShell>
        </Box>
        {typed !== null && <Button onClick={() => setTyped(null)}>{t('readiness.now')}</Button>}
      </Box>
      <Box aria-live="polite" sx={{ opacity: isPlaceholderData ? 0.55 : 1 }}>
        {error ? (
          <Alert severity="warning">{errorText(error)}</Alert>
        ) : data ? (
          <Typography variant="h3" component="p" sx={{ mb: 2 }}>
            {t(typed === null ? 'readiness.readyNow' : 'readiness.ready', { when: format.weekdayTime(data.ready_at) })}
          </Typography>
        ) : (
          <Skeleton width="60%" />
        )}
      </Box>
      {data && !error && (
        <Steps
          label={t('readiness.title')}
          heads={{ from: t('readiness.from'), what: t('readiness.what'), because: t('readiness.because') }}
          steps={data.steps.map(({ from, to, what, because }) => ({
            from,
            to,
            tone: TONES[what],
            what: t(`enums.what.${what}`),
            because: reason(because),
          }))}
          end={t('readiness.end')}
        />
      )}
    </Card>
  )
}
