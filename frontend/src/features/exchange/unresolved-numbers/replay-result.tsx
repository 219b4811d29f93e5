import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import CircularProgress from '@mui/material/CircularProgress'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import { imports } from '~/features/exchange/imports/api'
import { useCountsText } from '~/features/exchange/imports/counts-text'
import { ErrorGroups } from '~/features/exchange/imports/error-groups'
import { importing } from '~/features/exchange/imports/resource'
import { isRunning } from '~/features/exchange/shared/running'
import { DrawerForm } from '~/kit/form/form-drawer'
import { LoadFailed } from '~/kit/ui/load-failed'
import { keepTenant } from '~/session/tenant'

interface Props {
  number: string
  importIds: readonly number[]
  onClose: () => void
}

/** Result of the imports of rows that waited for a number, shown as soon as it is available. */
export function ReplayResult({ number, importIds, onClose }: Props) {
  const { t } = useTranslation('unresolvedNumbers')
  return (
    <DrawerForm title={number} onClose={onClose}>
      <Typography>{t('result.matched', { number })}</Typography>
      {importIds.map((id) => (
        <Replay key={id} id={id} />
      ))}
    </DrawerForm>
  )
}

const SEVERITY = { running: 'info', imported: 'success', refused: 'warning', stopped: 'warning' } as const

function Replay({ id }: { id: number }) {
  const { t } = useTranslation('unresolvedNumbers')
  const { search } = useLocation()
  const counts = useCountsText()
  const { data: row, error, refetch } = useQuery(imports.one(id))
  if (error && !row) return <LoadFailed error={error} retry={() => void refetch()} />
  const isFinished = row && !isRunning(row)
  const refusedCount = row ? row.rows_refused + row.rows_unresolved : 0
  const hasEndedEarly = row?.status === 'Failed' || row?.status === 'Cancelled'
  const result = !isFinished ? 'running' : refusedCount > 0 ? 'refused' : hasEndedEarly ? 'stopped' : 'imported'
  return (
    <>
      <Alert role="status" severity={SEVERITY[result]} {...(!isFinished && { icon: <CircularProgress size={20} aria-hidden /> })}>
        {t(`result.${result}`, { counts: (row && counts(row)) ?? '0' })}{' '}
        <Link component={RouterLink} to={{ pathname: `${importing.path}/${id}`, search: keepTenant(search) }} color="inherit">
          {t('result.link', { id })}
        </Link>
      </Alert>
      {isFinished && refusedCount > 0 && (
        <Box>
          <ErrorGroups id={id} />
        </Box>
      )}
      {isFinished && refusedCount === 0 && row.status === 'Failed' && row.status_message && (
        <Alert severity="error">{row.status_message}</Alert>
      )}
    </>
  )
}
