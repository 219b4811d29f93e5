import Box from '@mui/material/Box'
import { Check, CircleSlash, Clock, Pause } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PriceAdjustment } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { StateChip, type StateLook } from '~/kit/ui/state-chip'
import { useNow } from '~/lib/use-now'
import { isZoneForeign, useConfig } from '~/session/config'

type Status = 'off' | 'pending' | 'valid' | 'expired'

const LOOK: Record<Status, StateLook> = {
  off: { color: 'default', icon: Pause },
  pending: { color: 'primary', icon: Clock },
  valid: { color: 'success', icon: Check },
  expired: { color: 'default', icon: CircleSlash },
}

/** Status of an adjustment at a time; the end of its validity is exclusive. */
export function statusAt({ active, valid_from, valid_until }: PriceAdjustment, now: number): Status {
  if (!active) return 'off'
  if (valid_until && Date.parse(valid_until) <= now) return 'expired'
  return valid_from && Date.parse(valid_from) > now ? 'pending' : 'valid'
}

/** Status of an adjustment with its period. */
export function Validity({ adjustment }: { adjustment: PriceAdjustment }) {
  const { t } = useTranslation('priceAdjustments')
  const { dateTime } = useFormat()
  const status = statusAt(adjustment, useNow().getTime())
  const { time_zone: zone } = useConfig()
  const [from, until] = [adjustment.valid_from, adjustment.valid_until].map((iso) => iso && dateTime(iso, zone))
  return (
    <>
      <StateChip look={LOOK[status]} label={t(`status.${status}`)} />
      {(from || until) && (
        <Box component="span" sx={{ display: 'block', typography: 'caption', color: 'text.secondary', mt: 0.25 }}>
          {from && until ? t('period.both', { from, until }) : from ? t('period.from', { from }) : t('period.until', { until })}
          {isZoneForeign(zone) && ` (${zone})`}
        </Box>
      )}
    </>
  )
}
