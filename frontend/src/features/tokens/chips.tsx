import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import { Clock, Hourglass } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PersonalAccessToken } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
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

/** What is left of the token to tell it from others. */
export function Fingerprint({ token }: { token: PersonalAccessToken }) {
  return (
    <Box component="code" sx={{ fontFamily: 'ui-monospace, monospace', fontSize: '0.8125rem', whiteSpace: 'nowrap' }}>
      {`${token.prefix}\u2026${token.last_four}`}
    </Box>
  )
}

/** When it ends; whoever has to act sees it. */
export function Expiry({ token }: { token: PersonalAccessToken }) {
  const { t } = useTranslation('tokens')
  const format = useFormat()
  const expiry = expiryOf(token.expires_at)
  const at = (
    <Box component="time" dateTime={token.expires_at} sx={{ whiteSpace: 'nowrap' }}>
      {format.dateTime(token.expires_at)}
    </Box>
  )
  if (expiry.state === 'later') return at
  const expired = expiry.state === 'expired'
  const Icon = expired ? Hourglass : Clock
  return (
    <Box component="span" sx={{ display: 'inline-flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, rowGap: 0.5 }}>
      {at}
      <Chip
        size="small"
        variant="outlined"
        color={expired ? 'error' : 'warning'}
        icon={<Icon size={14} />}
        label={expiry.state === 'soon' ? t('expiresIn', { count: expiry.days, shown: format.decimal(expiry.days) }) : t('expired')}
        sx={{ pl: 0.5 }}
      />
    </Box>
  )
}

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
