import Chip from '@mui/material/Chip'
import { useTranslation } from 'react-i18next'

/** Marks an import that takes another one back. */
export function UndoChip() {
  const { t } = useTranslation('shell')
  return <Chip size="small" color="secondary" variant="outlined" label={t('imports.undo')} />
}

/** Marks an import that only tries. */
export function DryRunChip() {
  const { t } = useTranslation('shell')
  return <Chip size="small" color="info" variant="outlined" label={t('imports.dryRun')} />
}
