import Box from '@mui/material/Box'
import { useTranslation } from 'react-i18next'
import type { Import } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { COUNTS, RARE } from './counts-text'

/** Counts of an undo. */
const OF_UNDO = ['updated', 'removed', 'created', 'unchanged', 'kept', 'refused'] as const

const COLOURS: Partial<Record<(typeof COUNTS)[number], string>> = {
  refused: 'error.main',
  held: 'warning.main',
  unresolved: 'warning.main',
  removed: 'warning.main',
  kept: 'warning.main',
}

/** Counts of the rows by result, actual or expected. */
export function ImportCounts({ row }: { row: Import }) {
  const { t } = useTranslation('imports')
  const format = useFormat()
  const counts = row.undoes === null ? COUNTS.filter((count) => !RARE.includes(count) || row[`rows_${count}`] > 0) : OF_UNDO
  const label = (count: (typeof COUNTS)[number]) => t(row.dry_run ? `dryRun.counts.${count}` : `fields.rows_${count}`)
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '1fr 1fr', sm: `repeat(${row.undoes === null ? 4 : 3}, 1fr)` },
        m: 0,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        overflow: 'hidden',
      }}
    >
      {counts.map((count) => {
        const value = row[`rows_${count}`]
        return (
          <Box key={count} sx={{ display: 'flex', flexDirection: 'column-reverse', px: 2, py: 1.5 }}>
            <Box component="dt" sx={{ typography: 'caption', color: 'text.secondary' }}>
              {row.undoes === null ? label(count) : t(`undo.counts.${count as (typeof OF_UNDO)[number]}`)}
            </Box>
            <Box component="dd" sx={{ m: 0, typography: 'h2', color: value > 0 ? COLOURS[count] : 'text.primary' }}>
              {format.decimal(value)}
            </Box>
          </Box>
        )
      })}
    </Box>
  )
}
