import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, type To } from 'react-router'
import type { EarliestArrival } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { useConfig } from '~/session/config'

interface Props {
  earliest: EarliestArrival
  /** Path of the page that explains the date. */
  to: To | null
  /** True if the time of day is shown. */
  isExact?: boolean
}

/** Earliest delivery date, "ab Fr 04.12.2026", or the reason why there is none. */
export function EarliestDate({ earliest: { arrives_at, no_way }, to, isExact = false }: Props) {
  const { t } = useTranslation('destination')
  const { weekdayDate, weekdayTime } = useFormat()
  const { time_zone: zone } = useConfig()
  if (arrives_at === null) {
    const reason = t(`noWay.${no_way?.reason ?? 'no_departure'}`, { node: no_way?.node?.name })
    return (
      <Box component="span" sx={{ color: 'text.secondary' }}>
        {reason}
      </Box>
    )
  }
  const exact = t('from', { when: weekdayTime(arrives_at, zone) })
  const text = isExact ? exact : t('from', { when: weekdayDate(arrives_at, zone) })
  const time = (
    <Box component="time" dateTime={arrives_at} title={exact} sx={{ whiteSpace: 'nowrap' }}>
      {text}
    </Box>
  )
  if (to === null) return time
  return (
    <Link component={RouterLink} to={to} aria-label={t('explain', { from: exact })}>
      {time}
    </Link>
  )
}
