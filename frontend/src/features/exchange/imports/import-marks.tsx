import Chip from '@mui/material/Chip'
import { useTranslation } from 'react-i18next'
import type { Import } from '~/api/schema'

/** Marks an import that undoes another one. */
function UndoChip() {
  const { t } = useTranslation('shell')
  return <Chip size="small" color="secondary" variant="outlined" label={t('imports.undo')} />
}

/** Marks an import that was undone. */
function UndoneChip() {
  const { t } = useTranslation('shell')
  return <Chip size="small" variant="outlined" label={t('imports.undone')} />
}

/** Marks an import that is a dry run. */
export function DryRunChip() {
  const { t } = useTranslation('shell')
  return <Chip size="small" color="info" variant="outlined" label={t('imports.dryRun')} />
}

/** Marks in lists an import that undoes another one, was undone itself, or is a dry run. */
export function ImportMarks({ row: { undoes, undone_by, dry_run } }: { row: Pick<Import, 'undoes' | 'undone_by' | 'dry_run'> }) {
  return (
    <>
      {undoes !== null && <UndoChip />}
      {undone_by !== null && <UndoneChip />}
      {dry_run && <DryRunChip />}
    </>
  )
}
