import Chip from '@mui/material/Chip'
import { useLabels } from '~/i18n/labels'

const TONE: Record<string, 'success' | 'error' | 'warning' | 'default'> = {
  created: 'success',
  deleted: 'error',
  sign_in_failed: 'warning',
}

/** Action of a history entry. */
export function ActionChip({ action }: { action: string }) {
  const labels = useLabels('audit')
  return <Chip size="small" variant="outlined" color={TONE[action] ?? 'default'} label={labels.enum('action', action)} />
}
