import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import type { BulkOutcome, RefusedRecord } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { DialogFooter } from '../../feedback/dialog-footer'
import type { Verb } from './selection-bar'

interface Props {
  verb: Verb
  outcome: BulkOutcome
  onClose: () => void
}

/** Records that are named of each reason. */
const NAMED = 50

/** What was not done, and why: each reason once, with the records that it holds for. */
export default function OutcomeDialog({ verb, outcome, onClose }: Props) {
  const { t } = useTranslation(['selection', 'common'])
  const format = useFormat()
  const id = useId()
  const { search } = useLocation()
  const { done, refused } = outcome
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby={`${id}-title`} aria-describedby={`${id}-body`}>
      <DialogTitle id={`${id}-title`}>{t(`refused.${verb}`, { count: refused.length, rows: format.decimal(refused.length) })}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <DialogContentText id={`${id}-body`}>
          {t(`done.${verb}`, { count: done, rows: format.decimal(done) })} {t('refused.kept')}
        </DialogContentText>
        {byReason(refused).map(([reason, records]) => (
          <Box key={reason}>
            <Typography variant="subtitle2" component="h3" gutterBottom>
              {reason}
            </Typography>
            <Box component="ul" sx={{ m: 0, pl: 2.5, typography: 'body2', '& li': { py: 0.375 } }}>
              {records.slice(0, NAMED).map((record) => (
                <li key={record.id}>
                  <Link
                    component={RouterLink}
                    to={{ pathname: String(record.id), search }}
                    onClick={onClose}
                    sx={{ overflowWrap: 'anywhere' }}
                  >
                    {record.name}
                  </Link>
                </li>
              ))}
              {records.length > NAMED && <li>{t('refused.more', { rows: format.decimal(records.length - NAMED) })}</li>}
            </Box>
          </Box>
        ))}
      </DialogContent>
      <DialogFooter>
        <Button color="inherit" onClick={onClose} autoFocus>
          {t('common:actions.close')}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

function byReason(refused: readonly RefusedRecord[]): [string, RefusedRecord[]][] {
  const reasons = new Map<string, RefusedRecord[]>()
  for (const record of refused) {
    const reason = record.messages.join(' ')
    reasons.set(reason, [...(reasons.get(reason) ?? []), record])
  }
  return [...reasons]
}
