import Alert from '@mui/material/Alert'
import AlertTitle from '@mui/material/AlertTitle'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import type { Webhook } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { useErrorText } from '~/kit/ui/error-text'
import { notify } from '~/kit/ui/snackbar'
import { useConfig } from '~/session/config'
import { keepTenant } from '~/session/tenant'
import { webhooks } from './api'
import { webhook } from './resource'

/** Problem of the webhook and its remedy, with buttons to test, pause and resume. */
export function WebhookState({ row }: { row: Webhook }) {
  const { t } = useTranslation('webhooks')
  const navigate = useNavigate()
  const { search } = useLocation()
  const errorText = useErrorText()
  const onError = (error: unknown) => notify.error(errorText(error))
  const isPaused = row.state.status === 'paused'
  const test = useMutation({
    mutationFn: () => webhooks.test(row.id),
    onSuccess: ({ id }) => void navigate({ pathname: `${webhook.path}/${row.id}/deliveries/${id}`, search: keepTenant(search) }),
    onError,
  })
  const pause = useMutation({
    mutationFn: () => (isPaused ? webhooks.resume(row.id) : webhooks.pause(row.id)),
    onSuccess: () => notify.success(t(isPaused ? 'resumed' : 'pausedNow')),
    onError,
  })
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <FailureNotice row={row} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <Button variant="outlined" color="inherit" startIcon={<Send size={16} />} loading={test.isPending} onClick={() => test.mutate()}>
          {t('test.action')}
        </Button>
        <Button
          variant={isPaused ? 'contained' : 'outlined'}
          color={isPaused ? 'primary' : 'inherit'}
          loading={pause.isPending}
          onClick={() => pause.mutate()}
        >
          {t(isPaused ? 'actions.resume' : 'actions.pause')}
        </Button>
      </Box>
    </Box>
  )
}

function FailureNotice({ row: { state } }: { row: Webhook }) {
  const { t } = useTranslation('webhooks')
  const { weekdayTime, decimal } = useFormat()
  const { time_zone: zone } = useConfig()
  const { status, pending, pause_reason, last_failure } = state
  const at = (moment: string | null) => moment && weekdayTime(moment, zone)
  const waiting = pending > 0 && t('waiting', { count: pending, shown: decimal(pending) })
  const answer = last_failure && t('lastFailure', { text: last_failure })
  const since = at(state.failing_since)
  const next = at(state.retry_at)
  const joinSentences = (...sentences: (string | false | null)[]) => sentences.filter(Boolean).join(' ')
  if (status === 'failing') {
    return (
      <Alert severity="error" role="note">
        <AlertTitle>{since ? t('failing.title', { since }) : t('failing.now')}</AlertTitle>
        {joinSentences(answer, waiting, next && t('failing.next', { at: next }), t('failing.body'))}
      </Alert>
    )
  }
  if (status === 'paused') {
    const reason = pause_reason ?? 'by_hand'
    return (
      <Alert severity={reason === 'by_hand' ? 'info' : 'error'} role="note">
        <AlertTitle>{t(`paused.${reason}.title`)}</AlertTitle>
        {joinSentences(reason !== 'by_hand' && answer, waiting, t(`paused.${reason}.body`))}
      </Alert>
    )
  }
  if (status === 'inactive') {
    return (
      <Alert severity="error" role="note">
        <AlertTitle>{t('inactive.title')}</AlertTitle>
        {joinSentences(last_failure, waiting, t('inactive.body'))}
      </Alert>
    )
  }
  return null
}
