import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ArrowLeft, RotateCcw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation, useParams } from 'react-router'
import { isApiError } from '~/api/errors'
import type { WebhookAttempt, WebhookDeliveryDetail } from '~/api/schema'
import { useLabels } from '~/i18n/labels'
import { useFormat } from '~/i18n/use-format'
import { Card } from '~/kit/ui/card'
import { usePageCrumbs } from '~/kit/ui/crumbs'
import { useErrorText } from '~/kit/ui/error-text'
import { FactList } from '~/kit/ui/fact-list'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Page } from '~/kit/ui/page'
import { notify } from '~/kit/ui/snackbar'
import { Waiting } from '~/kit/ui/waiting'
import { useConfig } from '~/session/config'
import { webhooks } from './api'
import { DeliveryChip } from './delivery-chip'
import { eventKey } from './event-name'
import { webhook } from './resource'

/**
 * Detail view of a delivery: the sent body, each attempt with its response, and a button to send it again.
 */
export default function DeliveryPage() {
  const params = useParams()
  const [id, deliveryId] = [Number(params.id), Number(params.deliveryId)]
  const isValidId = Number.isSafeInteger(id) && Number.isSafeInteger(deliveryId)
  const { t } = useTranslation(['webhookDeliveries', 'webhooks', 'common'])
  const { search } = useLocation()
  const owner = useQuery({ ...webhooks.one(id), enabled: isValidId })
  const { data: row, error, refetch, isFetching } = useQuery({ ...webhooks.delivery(deliveryId), enabled: isValidId })
  const isGone = !isValidId || (isApiError(error) && error.status === 404)
  const title = row ? t(`webhooks:events.${eventKey(row.event)}.name`) : t('title.one')
  const own = `${webhook.path}/${id}`
  usePageCrumbs([
    ...(owner.data ? [{ path: own, text: webhook.title(owner.data) }] : []),
    { path: `${own}/deliveries`, text: t('webhooks:tabs.deliveries') },
    { path: `${own}/deliveries/${deliveryId}`, text: title },
  ])
  return (
    <Page
      title={title}
      {...(row && { intro: row.subject })}
      actions={
        <>
          <Button
            component={RouterLink}
            to={{ pathname: '..', search }}
            relative="path"
            variant="outlined"
            color="inherit"
            startIcon={<ArrowLeft size={18} />}
          >
            {t('back')}
          </Button>
          {row && <SendAgain row={row} />}
        </>
      }
    >
      {isGone ? (
        <Typography role="alert">{t('common:errors.recordGone')}</Typography>
      ) : error && !row ? (
        <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />
      ) : row ? (
        <Body row={row} />
      ) : (
        <Waiting />
      )}
    </Page>
  )
}

function SendAgain({ row }: { row: WebhookDeliveryDetail }) {
  const { t } = useTranslation('webhookDeliveries')
  const errorText = useErrorText()
  const { mutate, isPending } = useMutation({
    mutationFn: () => webhooks.sendAgain(row.id),
    onSuccess: () => notify.success(t('again.begun')),
    onError: (error) => notify.error(errorText(error)),
  })
  return (
    <Button
      variant="contained"
      startIcon={<RotateCcw size={18} />}
      loading={isPending}
      disabled={row.request === null}
      onClick={() => mutate()}
    >
      {t('again.action')}
    </Button>
  )
}

function Body({ row }: { row: WebhookDeliveryDetail }) {
  const { t } = useTranslation('webhookDeliveries')
  return (
    <>
      <Facts row={row} />
      <Card title={t('attempts.title')}>
        {row.log.length === 0 ? (
          <Typography variant="body2" color="textSecondary">
            {t('attempts.none')}
          </Typography>
        ) : (
          <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 2 }}>
            {row.log.map((attempt) => (
              <Attempt key={attempt.at} attempt={attempt} />
            ))}
          </Box>
        )}
      </Card>
      <Card title={t('request.title')}>
        {row.request ? (
          <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
            <Source label={t('request.headers')} text={row.request.headers.map(({ name, value }) => `${name}: ${value}`).join('\n')} />
            <Source label={t('request.body')} text={indented(row.request.body)} />
          </Box>
        ) : (
          <Alert severity="info" role="note">
            {t('request.forgotten')}
          </Alert>
        )}
      </Card>
    </>
  )
}

function Facts({ row }: { row: WebhookDeliveryDetail }) {
  const labels = useLabels('webhookDeliveries')
  const { time_zone: zone } = useConfig()
  const { weekdayTime } = useFormat()
  return (
    <FactList
      rowGap={1}
      facts={[
        [labels.field('status'), <DeliveryChip key="" status={row.status} />],
        [labels.field('created_at'), weekdayTime(row.created_at, zone)],
        [labels.field('delivered_at'), row.delivered_at && weekdayTime(row.delivered_at, zone)],
        [labels.field('next_attempt_at'), row.next_attempt_at && weekdayTime(row.next_attempt_at, zone)],
        [labels.field('message_id'), row.message_id],
      ]}
    />
  )
}

function Attempt({ attempt: { at, status, duration_ms, failure, by_hand } }: { attempt: WebhookAttempt }) {
  const { t } = useTranslation('webhookDeliveries')
  const { weekdayTime, decimal } = useFormat()
  const { time_zone: zone } = useConfig()
  const facts = [
    status === null ? t('attempts.noAnswer') : t('httpStatus', { status }),
    t('duration', { ms: decimal(duration_ms) }),
    ...(by_hand ? [t('attempts.byHand')] : []),
  ]
  return (
    <Box component="li" sx={{ overflowWrap: 'anywhere' }}>
      <Typography variant="body2" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        <strong>{weekdayTime(at, zone)}</strong>
        {` · ${facts.join(' · ')}`}
      </Typography>
      {failure && (
        <Typography variant="body2" color="error">
          {failure}
        </Typography>
      )}
    </Box>
  )
}

/** Indents a JSON body; other text is left unchanged. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

/** Text exactly as it was sent; long lines can be scrolled, also by keyboard. */
function Source({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 0.5 }}>
        {label}
      </Typography>
      <Box
        component="pre"
        tabIndex={0}
        role="region"
        aria-label={label}
        sx={{
          m: 0,
          p: 1.5,
          maxHeight: 420,
          overflow: 'auto',
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
          fontFamily: 'ui-monospace, monospace',
          fontSize: '0.8125rem',
        }}
      >
        {text}
      </Box>
    </div>
  )
}
