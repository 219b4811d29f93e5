import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { RefusedRecord } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'

/** Maximum number of records named for each reason. */
const NAMED = 50

interface Props {
  records: readonly RefusedRecord[]
  /** Renders the name of a record; its name alone by default. */
  name?: (record: RefusedRecord) => ReactNode
}

/** Lists refused records, grouped by reason. */
export function RefusedRecords({ records, name = (record) => record.name }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  return byReason(records).map(([reason, refusedRecords]) => (
    <Box key={reason}>
      <Typography variant="subtitle2" component="h3" gutterBottom>
        {reason}
      </Typography>
      <Box component="ul" sx={{ m: 0, pl: 2.5, typography: 'body2', overflowWrap: 'anywhere', '& li': { py: 0.375 } }}>
        {refusedRecords.slice(0, NAMED).map((record) => (
          <li key={record.id}>{name(record)}</li>
        ))}
        {refusedRecords.length > NAMED && <li>{t('list.more', { rows: format.decimal(refusedRecords.length - NAMED) })}</li>}
      </Box>
    </Box>
  ))
}

function byReason(refused: readonly RefusedRecord[]): [string, RefusedRecord[]][] {
  const reasons = new Map<string, RefusedRecord[]>()
  for (const record of refused) {
    const reason = record.messages.join(' ')
    reasons.set(reason, [...(reasons.get(reason) ?? []), record])
  }
  return [...reasons]
}
