import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { LoadFailed } from '~/kit/ui/load-failed'
import { imports } from './api'

/** Errors of the rows, grouped by column and reason, each with its first rows. */
export function ErrorGroups({ id }: { id: number }) {
  const { t } = useTranslation('imports')
  const format = useFormat()
  const headline = useId()
  const { data, error, refetch } = useQuery(imports.errorGroups(id))
  if (error) return <LoadFailed error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton variant="rounded" height={120} />
  if (data.data.length === 0) return null
  return (
    <Box component="section" aria-labelledby={headline}>
      <Typography variant="h3" id={headline} sx={{ mb: 1 }}>
        {t('groups.title')}
      </Typography>
      <TableContainer sx={{ border: 1, borderColor: 'divider', borderRadius: 1 }}>
        <Table size="small" aria-labelledby={headline}>
          <TableHead>
            <TableRow>
              <TableCell align="right">{t('groups.rows')}</TableCell>
              <TableCell>{t('errors.column')}</TableCell>
              <TableCell>{t('groups.first')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody sx={{ '& tr:last-of-type > *': { borderBottom: 0 } }}>
            {data.data.map(({ column, code, rows, first }) => (
              <TableRow key={`${code} ${column}`} sx={{ verticalAlign: 'top' }}>
                <TableCell align="right" sx={{ fontWeight: 600 }}>
                  {format.decimal(rows)}
                </TableCell>
                <TableCell component="th" scope="row" sx={{ color: column === null ? 'text.secondary' : undefined }}>
                  {column ?? t('errors.wholeRow')}
                </TableCell>
                <TableCell sx={{ overflowWrap: 'anywhere' }}>
                  {first.map(({ line, message }) => (
                    <div key={line}>{t('groups.line', { line: format.decimal(line), message })}</div>
                  ))}
                  {rows > first.length && <Box sx={{ color: 'text.secondary' }}>{t('groups.more', { count: rows - first.length })}</Box>}
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
    </Box>
  )
}
