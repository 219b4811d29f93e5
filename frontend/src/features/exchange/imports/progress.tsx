import Box from '@mui/material/Box'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { useTranslation } from 'react-i18next'
import type { Import } from '~/api/schema'
import { isRunning, processedRows } from '~/features/exchange/shared/running'
import { useFormat } from '~/i18n/use-format'

/** Progress of an import: number of rows, and a bar while it is running. */
export function ImportProgress({ row, unit = false }: { row: Import; unit?: boolean }) {
  const { t } = useTranslation('imports')
  const format = useFormat()
  const { rows_total: total } = row
  const done = processedRows(row)
  // ended before any rows were counted
  if (total === null && !isRunning(row)) return null
  const text =
    total === null
      ? t('progress.unknown')
      : t(unit ? 'progress.rows' : 'progress.bare', { count: total, done: format.decimal(done), total: format.decimal(total) })
  return (
    <Box sx={{ minWidth: 96 }}>
      <Typography variant="inherit" component="span" sx={{ whiteSpace: 'nowrap' }}>
        {text}
      </Typography>
      {row.status === 'InProgress' && (
        <LinearProgress
          aria-label={t('progress.label')}
          sx={{ mt: 0.5, borderRadius: 2 }}
          {...(total ? { variant: 'determinate', value: (100 * done) / total } : {})}
        />
      )}
    </Box>
  )
}
