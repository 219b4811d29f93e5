import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { PasswordStrength as Strength } from '~/api/schema'
import { useDebounced } from '~/lib/use-debounced'

/** Minimum length of a new password in characters. */
const MIN_LENGTH = 12

/** Rating of passwords by the server, which takes the data of the account's owner into account. */
export interface PasswordJudge {
  key: string
  /** Rates a password; nothing is stored. */
  rate: (password: string) => Promise<Strength>
}

/**
 * Returns the server's rating, so that a password that is shown as strong is also accepted. Null until the
 * server has answered.
 */
export function usePasswordStrength(link: PasswordJudge, password: string): Strength | null {
  const debouncedPassword = useDebounced(password, 300)
  const { data } = useQuery({
    queryKey: ['strength', link.key, debouncedPassword],
    queryFn: () => link.rate(debouncedPassword),
    enabled: debouncedPassword !== '',
    // a password must not stay in memory longer than its field
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
  })
  return password === '' || debouncedPassword === '' ? null : (data ?? null)
}

interface Props {
  password: string
  strength: Strength | null
}

const STEPS = [1, 2, 3, 4] as const
const WORDS = ['0', '1', '2', '3', '4'] as const

export function PasswordStrength({ password, strength }: Props) {
  const { t } = useTranslation('auth')
  const score = strength?.score ?? 0
  const missing = MIN_LENGTH - [...password].length
  const word = missing > 0 ? 'short' : (WORDS[score] ?? '4')
  const color = strength?.enough ? 'success.main' : 'warning.main'
  return (
    <Box sx={{ mt: 1 }}>
      <Box aria-hidden sx={{ display: 'grid', gridTemplateColumns: 'repeat(4, 1fr)', gap: 0.5 }}>
        {STEPS.map((step) => (
          <Box key={step} sx={{ height: 4, borderRadius: 2, bgcolor: strength && (score >= step || step === 1) ? color : 'divider' }} />
        ))}
      </Box>
      <Typography variant="caption" component="div" color="textSecondary" role="status" sx={{ mt: 0.5, minHeight: '1.6em' }}>
        {strength && t('verification.strength.label', { strength: t(`verification.strength.${word}`, { count: missing }) })}
        {strength && !strength.enough && word !== 'short' && (
          <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
            {[strength.warning, ...strength.suggestions].map((text) => text && <li key={text}>{text}</li>)}
          </Box>
        )}
      </Typography>
    </Box>
  )
}
