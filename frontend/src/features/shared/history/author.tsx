import Typography from '@mui/material/Typography'
import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '~/api/schema'
import { useLabels } from '~/i18n/labels'
import { useReferenceText } from './use-reference-text'

/** Author of a change, and the channel or program that it was made through. */
export function Author({ row }: { row: AuditEntry }) {
  const { t } = useTranslation('audit')
  const labels = useLabels('audit')
  const reference = useReferenceText()
  const through = row.through && `${labels.enum('channel', row.channel)} ${row.through.name ?? row.through.id}`
  const isAutomatic = ['system', 'feed', 'external_api'].includes(row.channel)
  return (
    <>
      {row.user ? reference(row.user) : t(isAutomatic ? 'system' : 'unknown')}
      {(through || row.address) && (
        <Typography variant="body2" component="div" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {through || row.address}
        </Typography>
      )}
    </>
  )
}
