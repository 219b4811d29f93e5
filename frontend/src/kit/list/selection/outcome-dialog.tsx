import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import Link from '@mui/material/Link'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import type { BulkOutcome } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { DialogFooter } from '../../feedback/dialog-footer'
import { RefusedRecords } from '../../feedback/refused-records'
import type { Verb } from './selection-bar'

interface Props {
  verb: Verb
  outcome: BulkOutcome
  /** What was refused can be opened. */
  opens: boolean
  onClose: () => void
}

/** What was not done, and why: each reason once, with the records that it holds for. */
export default function OutcomeDialog({ verb, outcome, opens, onClose }: Props) {
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
        <RefusedRecords
          records={refused}
          {...(opens && {
            name: (record) => (
              <Link component={RouterLink} to={{ pathname: String(record.id), search }} onClick={onClose}>
                {record.name}
              </Link>
            ),
          })}
        />
      </DialogContent>
      <DialogFooter>
        <Button color="inherit" onClick={onClose} autoFocus>
          {t('common:actions.close')}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
