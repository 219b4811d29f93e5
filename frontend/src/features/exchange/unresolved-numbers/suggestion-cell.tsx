import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useTranslation } from 'react-i18next'
import type { UnresolvedNumber } from '~/api/schema'
import { matching } from '~/features/exchange/matchings/resource'
import { useAllowedOperations } from '~/kit/records/resources'
import { useAcceptSuggestions } from './use-accept'
import { useSuggestions } from './use-suggestions'

/** Suggestion for a number with its reason; one click accepts it. */
export function SuggestionCell({ row }: { row: UnresolvedNumber }) {
  const { t } = useTranslation('unresolvedNumbers')
  const suggestion = useSuggestions().get(row.id)
  const may = useAllowedOperations(matching).create
  const accept = useAcceptSuggestions()
  if (!suggestion) return '\u2013'
  const names = { number: row.number, target: suggestion.number }
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, justifyContent: { md: 'space-between' } }}>
      <Box sx={{ minWidth: 0, overflowWrap: 'anywhere', whiteSpace: { md: 'nowrap' } }} title={suggestion.name}>
        {suggestion.number}
        <Typography variant="caption" color="textSecondary" component="div">
          {t(`reasons.${suggestion.reason}`)}
        </Typography>
      </Box>
      {may && (
        <Button
          size="small"
          variant="outlined"
          aria-label={t('accept.oneOf', names)}
          loading={accept.isPending}
          sx={{ flexShrink: 0 }}
          onClick={(event) => {
            event.stopPropagation()
            accept.mutate([{ number_id: row.id, target: suggestion.number }])
          }}
        >
          {t('accept.one')}
        </Button>
      )}
    </Box>
  )
}
