import Box from '@mui/material/Box'
import { useTranslation } from 'react-i18next'
import type { Import } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { COUNTS, RARE } from './counts-text'

const COLOURS: Partial<Record<(typeof COUNTS)[number], string>> = {
  refused: 'error.main',
  held: 'warning.main',
  unresolved: 'warning.main',
  removed: 'warning.main',
}

/** What became of the rows, or would become of them. */
export function ImportCounts({ row }: { row: Import }) {
  const { t } = useTranslation('imports')
  const format = useFormat()
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '1fr 1fr', sm: 'repeat(4, 1fr)' },
        m: 0,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        overflow: 'hidden',
      }}
    >
      {COUNTS.filter((count) => !RARE.includes(count) || row[`rows_${count}`] > 0).map((count) => {
        const value = row[`rows_${count}`]
        return (
          <Box key={count} sx={{ display: 'flex', flexDirection: 'column-reverse', px: 2, py: 1.5 }}>
            <Box component="dt" sx={{ typography: 'caption', color: 'text.secondary' }}>
              {t(row.dry_run ? `dryRun.counts.${count}` : `fields.rows_${count}`)}
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
