import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import type { BulkOutcome } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { RefusedRecords } from '~/kit/ui/refused-records'
import type { BulkOperation } from './selection-bar'

interface Props {
  verb: BulkOperation
  outcome: BulkOutcome
  /** True if refused records can be opened. */
  canOpenRecords: boolean
  onClose: () => void
}

/** Lists the records that were refused, grouped by reason. */
export default function OutcomeDialog({ verb, outcome, canOpenRecords, onClose }: Props) {
  const { t } = useTranslation(['selection', 'common'])
  const format = useFormat()
  const { search } = useLocation()
  const { done, refused } = outcome
  return (
    <DialogFrame
      title={t(`refused.${verb}`, { count: refused.length, rows: format.decimal(refused.length) })}
      description={
        <>
          {t(`done.${verb}`, { count: done, rows: format.decimal(done) })} {t('refused.kept')}
        </>
      }
      onClose={onClose}
      content={{ sx: { display: 'grid', gap: 2 } }}
      actions={
        <Button color="inherit" onClick={onClose} autoFocus>
          {t('common:actions.close')}
        </Button>
      }
    >
      <RefusedRecords
        records={refused}
        {...(canOpenRecords && {
          name: (record) => (
            <Link component={RouterLink} to={{ pathname: String(record.id), search }} onClick={onClose}>
              {record.name}
            </Link>
          ),
        })}
      />
    </DialogFrame>
  )
}
