import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import type { Import } from '~/api/schema'
import { isRunning } from '~/features/exchange/shared/running'
import { focusOnMount } from '~/kit/ui/focus-on-mount'
import { FormErrors } from '~/kit/ui/form-errors'
import { keepTenant } from '~/session/tenant'
import { imports } from './api'
import { ImportCounts } from './detail-counts'
import { ErrorGroups } from './error-groups'
import { ImportProgress } from './progress'
import { RemovalsAlert } from './removals-alert'

interface Props {
  id: number
  /** Called with the dry run once it has ended. */
  onEnded: (row: Import) => void
}

/** Wizard step with the result of the dry run. */
export default function PreviewStep({ id, onEnded }: Props) {
  const { t } = useTranslation('imports')
  const headline = useId()
  const { search } = useLocation()
  const { data: row, error } = useQuery(imports.one(id))
  const finishedImport = row && !isRunning(row) ? row : null
  const announceEnd = useEffectEvent(onEnded)
  useEffect(() => {
    if (finishedImport) announceEnd(finishedImport)
  }, [finishedImport])
  return (
    <Box component="section" aria-labelledby={headline} sx={{ display: 'flex', flexDirection: 'column', gap: 2.5 }}>
      <Typography variant="h3" id={headline} ref={focusOnMount} tabIndex={-1} sx={{ '&:focus': { outline: 'none' } }}>
        {t('wizard.preview.title')}
      </Typography>
      <FormErrors error={error} />
      {row && !finishedImport && (
        <div role="status">{row.status === 'Queued' ? t('detail.waiting') : <ImportProgress row={row} unit />}</div>
      )}
      {finishedImport && (
        <>
          {finishedImport.status_message && (
            <Alert
              severity={finishedImport.status === 'Failed' ? 'error' : 'info'}
              sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}
            >
              {finishedImport.status_message}
            </Alert>
          )}
          <Alert severity="info" role="note">
            {t('dryRun.note')}{' '}
            <Link
              component={RouterLink}
              to={{ pathname: `../${id}/rows`, search: keepTenant(search) }}
              relative="path"
              color="inherit"
              target="_blank"
            >
              {t('rows.show')}
            </Link>
          </Alert>
          <RemovalsAlert row={finishedImport} rows={`../${id}/rows`} opensNewTab />
          <ImportCounts row={finishedImport} />
          {finishedImport.rows_refused + finishedImport.rows_unresolved > 0 && <ErrorGroups id={id} />}
        </>
      )}
    </Box>
  )
}
