import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UnresolvedNumber } from '~/api/schema'
import { useListState } from '~/kit/table/use-list-state'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { RefusedRecords } from '~/kit/ui/refused-records'
import { unresolvedNumbers } from './api'
import { unresolvedNumber } from './resource'
import { useAcceptSuggestions } from './use-accept'
import { useSuggestions } from './use-suggestions'

/**
 * Shows the suggestions for the current page of the list; the user can deselect some, and accepts the others
 * together.
 */
export default function AcceptDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['unresolvedNumbers', 'common'])
  const { state } = useListState(unresolvedNumber.ns, unresolvedNumbers.spec)
  const { data } = useQuery(unresolvedNumbers.list(state))
  const suggestions = useSuggestions()
  const accept = useAcceptSuggestions()
  const [excludedIds, setExcludedIds] = useState<ReadonlySet<number>>(new Set())
  const rows = ((data?.data ?? []) as UnresolvedNumber[]).flatMap((row) => {
    const suggestion = suggestions.get(row.id)
    return suggestion ? [{ row, suggestion }] : []
  })
  const chosen = rows.filter(({ row }) => !excludedIds.has(row.id))
  const refused = accept.data?.refused ?? []
  const toggle = (number: number) =>
    setExcludedIds((before) => {
      const next = new Set(before)
      if (!next.delete(number)) next.add(number)
      return next
    })
  const run = () =>
    accept.mutate(
      chosen.map(({ row, suggestion }) => ({ number_id: row.id, target: suggestion.number })),
      {
        onSuccess(outcome) {
          if (outcome.refused.length === 0) onClose()
        },
      },
    )
  return (
    <DialogFrame
      title={t('accept.title')}
      description={t('accept.body')}
      pending={accept.isPending}
      onClose={onClose}
      fullScreenOnPhone
      actions={
        <>
          <Button color="inherit" onClick={onClose} disabled={accept.isPending}>
            {t(refused.length > 0 ? 'common:actions.close' : 'common:actions.cancel')}
          </Button>
          <Button variant="contained" onClick={run} loading={accept.isPending} disabled={chosen.length === 0} autoFocus>
            {t('accept.run', { count: chosen.length })}
          </Button>
        </>
      }
    >
      {refused.length > 0 && <RefusedRecords records={refused} />}
      <Box component="ul" aria-label={t('suggestions')} sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {rows.map(({ row, suggestion }) => (
          <Box component="li" key={row.id} sx={{ borderBottom: 1, borderColor: 'divider', '&:last-child': { borderBottom: 0 }, py: 0.5 }}>
            <FormControlLabel
              control={<Checkbox checked={!excludedIds.has(row.id)} onChange={() => toggle(row.id)} />}
              label={
                <>
                  {`${row.number} → ${suggestion.number}`}
                  <Typography variant="caption" color="textSecondary" component="span" sx={{ display: 'block' }}>
                    {[row.designation, suggestion.name, t(`reasons.${suggestion.reason}`)].filter(Boolean).join(' · ')}
                  </Typography>
                </>
              }
              sx={{ alignItems: 'flex-start', m: 0, '& .MuiFormControlLabel-label': { overflowWrap: 'anywhere', pt: 1 } }}
            />
          </Box>
        ))}
      </Box>
    </DialogFrame>
  )
}
