import Alert from '@mui/material/Alert'
import Link from '@mui/material/Link'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import type { Import } from '~/api/schema'

/** Links to the import that this one undoes, and to the one that undoes it. */
export function UndoneAlert({ row: { undoes, undone_by } }: { row: Import }) {
  const { t } = useTranslation('imports')
  return (
    <>
      {undoes !== null && <LinkedText id={undoes} text={t('undo.of', { id: undoes })} link={t('detail.identicalLink', { id: undoes })} />}
      {undone_by !== null && (
        <LinkedText id={undone_by} text={t('undo.by', { id: undone_by })} link={t('undo.byLink', { id: undone_by })} />
      )}
    </>
  )
}

function LinkedText({ id, text, link }: { id: number; text: string; link: string }) {
  const { search } = useLocation()
  return (
    <Alert severity="info" role="note">
      {text}{' '}
      <Link component={RouterLink} to={{ pathname: `../${id}`, search }} relative="path" color="inherit">
        {link}
      </Link>
    </Alert>
  )
}
