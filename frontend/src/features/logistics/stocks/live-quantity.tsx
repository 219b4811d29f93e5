import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import Link from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleHelp, Clock, type LucideIcon } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import type { LiveStock } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useExternalApiPage } from '~/features/exchange/external-apis/ref'
import { useFormat } from '~/i18n/use-format'
import { BusyButton } from '~/kit/ui/busy-button'
import { LoadFailed } from '~/kit/ui/load-failed'
import { useConfig } from '~/session/config'
import { stocks } from './api'

/** Colour and icon of each answer, so that colour is never the only distinction. */
const LOOK: Record<LiveStock['answered_by'], { color: 'success' | 'warning' | 'default'; icon: LucideIcon }> = {
  live: { color: 'success', icon: CircleCheck },
  last_known: { color: 'warning', icon: Clock },
  unknown: { color: 'default', icon: CircleHelp },
  stock: { color: 'default', icon: CircleHelp },
}

/** Quantity that the tenant's own system answers now, or the last known one with the reason. */
export function LiveQuantity({ id }: { id: number }) {
  const { t } = useTranslation('stocks')
  const title = useId()
  const { data, error, refetch, isFetching } = useQuery(stocks.live(id))
  return (
    <Box
      component="section"
      aria-labelledby={title}
      sx={{ display: 'grid', gap: 1, p: 2, border: 1, borderColor: 'divider', borderRadius: 1 }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', alignItems: 'center', columnGap: 2 }}>
        <Typography variant="subtitle2" component="h3" id={title}>
          {t('live.title')}
        </Typography>
        {data && (
          <BusyButton size="small" color="inherit" busy={isFetching} onClick={() => void refetch()}>
            {t('live.again')}
          </BusyButton>
        )}
      </Box>
      <Box role="status" aria-busy={isFetching}>
        {data ? <Answer answer={data} /> : !error && <LiveRequestNote />}
      </Box>
      {error && !data && <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />}
    </Box>
  )
}

function LiveRequestNote() {
  const { t } = useTranslation('stocks')
  return (
    <>
      <Skeleton width="40%" height={32} />
      <Typography variant="body2" color="textSecondary">
        {t('live.asking')}
      </Typography>
    </>
  )
}

function Answer({ answer: { answered_by, quantity, unit, as_of, reason } }: { answer: LiveStock }) {
  const { t } = useTranslation('stocks')
  const { decimal, ago, weekdayTime } = useFormat()
  const { time_zone: zone } = useConfig()
  const symbol = useUnitSymbols()
  const page = useExternalApiPage()
  const { color, icon: Icon } = LOOK[answered_by]
  return (
    <Box sx={{ display: 'grid', gap: 0.5, overflowWrap: 'anywhere' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1.5, rowGap: 0.5 }}>
        {quantity !== null && (
          <Typography component="strong" variant="h3" sx={{ fontVariantNumeric: 'tabular-nums' }}>
            {`${decimal(quantity)} ${symbol(unit)}`}
          </Typography>
        )}
        <Chip
          size="small"
          variant="outlined"
          color={color}
          icon={<Icon size={14} />}
          label={t(`live.by.${answered_by}`)}
          sx={{ pl: 0.5 }}
        />
      </Box>
      {as_of && (
        <Typography variant="body2" color="textSecondary">
          {t('live.asOf', { when: weekdayTime(as_of, zone), ago: ago(as_of) })}
        </Typography>
      )}
      {answered_by === 'unknown' && <Typography variant="body2">{t('live.never')}</Typography>}
      {reason && <Typography variant="body2">{reason}</Typography>}
      {reason && page && (
        <Link component={RouterLink} to={page} variant="body2" sx={{ justifySelf: 'start' }}>
          {t('live.api')}
        </Link>
      )}
    </Box>
  )
}
