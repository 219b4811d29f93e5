import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ExternalApiCall } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { Card } from '~/kit/ui/card'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Waiting } from '~/kit/ui/waiting'
import { useConfig } from '~/session/config'
import { externalApis } from './api'

/** Latest calls, without the contents of requests and responses. */
export function Calls({ id }: { id: number }) {
  const { t } = useTranslation('externalApis')
  const { t: common } = useTranslation()
  const { data, error, refetch, isFetching } = useQuery(externalApis.calls(id))
  const calls = data?.data
  return (
    <Card
      title={t('tabs.calls')}
      intro={t('calls.intro')}
      action={
        <Button size="small" color="inherit" startIcon={<RotateCw size={16} />} loading={isFetching} onClick={() => void refetch()}>
          {common('actions.reload')}
        </Button>
      }
    >
      {error && !calls ? (
        <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />
      ) : !calls ? (
        <Waiting />
      ) : calls.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {t('calls.none')}
        </Typography>
      ) : (
        <Box component="ol" aria-label={t('tabs.calls')} sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1.5 }}>
          {calls.map((call) => (
            <Call key={`${call.at} ${call.path}`} call={call} />
          ))}
        </Box>
      )}
    </Card>
  )
}

function Call({ call: { at, purpose, method, path, status, duration_ms, lines, failure } }: { call: ExternalApiCall }) {
  const { t } = useTranslation('externalApis')
  const { weekdayTime, decimal } = useFormat()
  const { time_zone: zone } = useConfig()
  const facts = [
    t(`calls.purposes.${purpose}`),
    ...(status === null ? [] : [t('calls.status', { status })]),
    t('seconds', { seconds: decimal(duration_ms / 1000, 2) }),
    ...(lines === 0 ? [] : [t('calls.lines', { count: lines })]),
  ]
  return (
    <Box component="li" sx={{ overflowWrap: 'anywhere' }}>
      <Typography variant="body2" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        <strong>{weekdayTime(at, zone)}</strong> {`${method} ${path}`}
      </Typography>
      <Typography variant="caption" color="textSecondary" component="p">
        {facts.join(' · ')}
      </Typography>
      {failure && (
        <Typography variant="body2" color="error">
          {failure}
        </Typography>
      )}
    </Box>
  )
}
