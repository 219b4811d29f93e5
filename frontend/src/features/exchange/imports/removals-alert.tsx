import Alert from '@mui/material/Alert'
import Link from '@mui/material/Link'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import type { Import } from '~/api/schema'
import { keepTenant } from '~/session/tenant'
import { removesSome } from './use-confirm-removals'

interface Props {
  row: Import
  /** Path of the page with the rows. */
  rows: string
  /** True if the link opens in a new tab, so that the current form stays. */
  opensNewTab?: boolean
}

/** Number of records that applying a dry run removes, with a link to them. */
export function RemovalsAlert({ row, rows, opensNewTab = false }: Props) {
  const { t } = useTranslation('imports')
  const { search } = useLocation()
  if (!row.dry_run || !removesSome(row)) return null
  const params = new URLSearchParams(keepTenant(search))
  params.set('rows', 'removed')
  return (
    <Alert severity="warning" role="note">
      {t('dryRun.removes', { count: row.rows_removed })}{' '}
      <Link
        component={RouterLink}
        to={{ pathname: rows, search: params.toString() }}
        relative="path"
        color="inherit"
        {...(opensNewTab && { target: '_blank' })}
      >
        {t('removals.show', { count: row.rows_removed })}
      </Link>
    </Alert>
  )
}
