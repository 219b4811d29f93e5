import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { Ban, Check, CircleDashed, CirclePause, RotateCw, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ExternalApi, ExternalApiStatus } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { useSave } from '~/kit/form/use-save'
import { Card } from '~/kit/ui/card'
import { FormErrors } from '~/kit/ui/form-errors'
import { StateChip, type StateLook } from '~/kit/ui/state-chip'
import { useConfig } from '~/session/config'
import { externalApis } from './api'

const LOOK: Record<ExternalApiStatus, StateLook> = {
  unused: { color: 'default', icon: CircleDashed },
  ok: { color: 'success', icon: Check },
  failing: { color: 'warning', icon: TriangleAlert },
  open: { color: 'error', icon: Ban },
  inactive: { color: 'default', icon: CirclePause },
}

/** State of the connection, with a button to retry now while requests to the API are suspended. */
export function StateCard({ row }: { row: ExternalApi }) {
  const { t } = useTranslation('externalApis')
  const { ago, weekdayTime } = useFormat()
  const { time_zone: zone } = useConfig()
  const { status, open_until, failures_in_row, last_success_at, last_failure } = row.state
  const { submit, pending, error } = useSave({
    save: () => externalApis.closeBreaker(row.id),
    message: () => t('state.closed'),
  })
  return (
    <Card title={t('state.title')} action={<StateChip look={LOOK[status]} label={t(`state.${status}`)} />}>
      <Box role="status" sx={{ display: 'grid', gap: 1, overflowWrap: 'anywhere' }}>
        <Typography variant="body2">
          {status === 'open' && open_until
            ? t('state.openUntil', { time: weekdayTime(open_until, zone), failures: failures_in_row })
            : t(`state.meaning.${status}`, { failures: failures_in_row })}
        </Typography>
        {last_success_at && (
          <Typography variant="body2" color="textSecondary">
            {t('state.lastSuccess', { when: weekdayTime(last_success_at, zone), ago: ago(last_success_at) })}
          </Typography>
        )}
        {last_failure && (
          <Typography variant="body2" color="textSecondary">
            {t('state.lastFailure', { when: weekdayTime(last_failure.at, zone), text: last_failure.text })}
          </Typography>
        )}
      </Box>
      <FormErrors error={error} />
      {status === 'open' && (
        <Button
          variant="outlined"
          color="inherit"
          startIcon={<RotateCw size={16} />}
          loading={pending}
          onClick={() => submit(undefined)}
          sx={{ mt: 2 }}
        >
          {t('actions.retry')}
        </Button>
      )}
    </Card>
  )
}
