import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import { Clock, Hourglass, RefreshCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PersonalAccessToken } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { StateChip } from '~/kit/ui/state-chip'
import { formatDay } from '~/lib/days'
import { lastDayBefore } from '~/lib/zone'
import { useConfig } from '~/session/config'
import { textKey } from './abilities'
import { expiryOf } from './expiry'

export function AbilityChips({ token }: { token: PersonalAccessToken }) {
  const { t } = useTranslation('tokens')
  return (
    <Box component="span" sx={{ display: 'inline-flex', flexWrap: 'wrap', gap: 0.5 }}>
      {token.abilities.map((ability) => (
        <Chip key={ability} size="small" variant="outlined" label={t(`abilities.${textKey(ability)}.name`)} title={ability} />
      ))}
    </Box>
  )
}

/** Start and last four characters of the token, to distinguish it from others. */
export function MaskedToken({ token }: { token: PersonalAccessToken }) {
  return (
    <Box component="code" sx={{ fontFamily: 'ui-monospace, monospace', fontSize: '0.8125rem', whiteSpace: 'nowrap' }}>
      {`${token.prefix}\u2026${token.last_four}`}
    </Box>
  )
}

/** Expiry of a token, with a warning if it is soon and a note if another token has replaced it. */
export function TokenExpiry({ token }: { token: PersonalAccessToken }) {
  const { t } = useTranslation('tokens')
  const format = useFormat()
  const { expires_at, replaced_at } = token
  const { time_zone: zone } = useConfig()
  const expiry = expiryOf(expires_at, zone)
  const lastDay = lastDayBefore(zone, expires_at)
  return (
    <Box component="span" sx={{ display: 'inline-flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, rowGap: 0.5 }}>
      <Box component="time" dateTime={expires_at} sx={{ whiteSpace: 'nowrap' }}>
        {lastDay ? formatDay(lastDay, format.lang) : format.dateTime(expires_at)}
      </Box>
      {replaced_at !== null && (
        <Chip
          size="small"
          variant="outlined"
          icon={<RefreshCw size={14} />}
          label={t('replaced')}
          title={t('replacedAt', { when: format.dateTime(replaced_at) })}
          sx={{ pl: 0.5 }}
        />
      )}
      {expiry.state === 'expired' ? (
        <StateChip look={{ color: 'error', icon: Hourglass }} label={t('expired')} />
      ) : (
        expiry.state === 'soon' &&
        replaced_at === null && (
          <StateChip
            look={{ color: 'warning', icon: Clock }}
            label={t('expiresIn', { count: expiry.days, shown: format.decimal(expiry.days) })}
          />
        )
      )}
    </Box>
  )
}

/** Time and address of a token's last use. */
export function LastUse({ token }: { token: PersonalAccessToken }) {
  const { t } = useTranslation('tokens')
  const format = useFormat()
  if (token.last_used_at === null) return t('neverUsed')
  return (
    <Box component="span" sx={{ whiteSpace: 'nowrap' }} title={format.ago(token.last_used_at)}>
      {format.dateTime(token.last_used_at)}
      <Box component="span" sx={{ display: 'block', color: 'text.secondary', fontSize: '0.8125rem' }}>
        {token.last_used_address}
      </Box>
    </Box>
  )
}
