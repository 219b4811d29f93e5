import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { ChartNoAxesColumn, Table2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '~/kit/ui/card'
import { LoadFailed } from '~/kit/ui/load-failed'

/** Height of a chart, also while it loads. */
export const CHART_HEIGHT = 150

interface Props {
  title: string
  intro: string
  heads: readonly string[]
  /** Cells of the table; the first one names the row. */
  rows: readonly (readonly string[])[]
  /** Text for an empty chart. */
  none: string
  /** Queries of the chart; a failed one is shown instead of the chart. */
  queries: readonly { isLoading: boolean; error: unknown; data: unknown; refetch: () => Promise<unknown> }[]
  children: ReactNode
}

/** Card with a chart, and the same data as a table. */
export function ChartCard({ title, intro, heads, rows, none, queries, children }: Props) {
  const { t } = useTranslation('home')
  const id = useId()
  const loading = queries.some(({ isLoading }) => isLoading)
  const failed = queries.filter(({ error, data }) => error !== null && data === undefined)
  const [asTable, setAsTable] = useState(false)
  const [Icon, action] = asTable ? ([ChartNoAxesColumn, 'charts.drawing'] as const) : ([Table2, 'charts.table'] as const)
  return (
    <Card
      title={title}
      intro={intro}
      action={
        rows.length > 0 &&
        failed.length === 0 && (
          <Button
            size="small"
            color="inherit"
            aria-expanded={asTable}
            aria-controls={id}
            aria-label={`${t(action)}: ${title}`}
            startIcon={<Icon size={16} aria-hidden />}
            onClick={() => setAsTable(!asTable)}
          >
            {t(action)}
          </Button>
        )
      }
    >
      <Box id={id} aria-busy={loading} sx={{ minHeight: CHART_HEIGHT }}>
        {failed[0] ? (
          <LoadFailed
            error={failed[0].error}
            retry={() => {
              for (const { refetch } of failed) void refetch()
            }}
          />
        ) : rows.length === 0 ? (
          <Typography variant="body2" color="textSecondary">
            {loading ? '' : none}
          </Typography>
        ) : asTable ? (
          <Table size="small" aria-label={title} sx={{ '& td, & th': { px: 1 } }}>
            <TableHead>
              <TableRow>
                {heads.map((head, at) => (
                  <TableCell key={head} align={at === 0 ? 'left' : 'right'}>
                    {head}
                  </TableCell>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {rows.map(([name, ...cells]) => (
                <TableRow key={name}>
                  <TableCell component="th" scope="row">
                    {name}
                  </TableCell>
                  {cells.map((cell, at) => (
                    <TableCell key={heads[at + 1]} align="right">
                      {cell}
                    </TableCell>
                  ))}
                </TableRow>
              ))}
            </TableBody>
          </Table>
        ) : (
          children
        )}
      </Box>
    </Card>
  )
}

export interface Part {
  name: string
  value: number
  color: string
  /** True for a hatched part, which is recognisable without colour. */
  pattern?: boolean
}

/** Stacked bars, one below the other, with their legend. */
export function StackedBars({ bars }: { bars: readonly { name: string; parts: readonly Part[] }[] }) {
  const maxSum = Math.max(1, ...bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)))
  const legend = bars[0]?.parts ?? []
  return (
    <>
      <Box
        aria-hidden
        sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(64px, max-content) minmax(0, 1fr)', alignItems: 'center' }}
      >
        {bars.map(({ name, parts }) => (
          <Box key={name} sx={{ display: 'contents' }}>
            <Typography variant="caption" noWrap sx={{ maxWidth: 120 }}>
              {name}
            </Typography>
            <Box sx={{ display: 'flex', gap: '2px', height: bars.length > 4 ? 10 : 22 }}>
              {parts.map(({ name: part, value, color, pattern }) => (
                <Box
                  key={part}
                  sx={{
                    width: `${(value / maxSum) * 100}%`,
                    bgcolor: color,
                    borderRadius: '2px',
                    ...(pattern && {
                      backgroundImage: 'repeating-linear-gradient(45deg, transparent 0 3px, var(--mui-palette-background-paper) 3px 5px)',
                    }),
                  }}
                />
              ))}
            </Box>
          </Box>
        ))}
      </Box>
      <Box component="ul" sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, rowGap: 0.5, listStyle: 'none', m: 0, mt: 2, p: 0 }}>
        {legend.map(({ name, color, pattern }) => (
          <Box component="li" key={name} sx={{ display: 'flex', alignItems: 'center', gap: 0.75, typography: 'caption' }}>
            <Box
              aria-hidden
              sx={{
                width: 12,
                height: 12,
                borderRadius: '2px',
                bgcolor: color,
                ...(pattern && {
                  backgroundImage: 'repeating-linear-gradient(45deg, transparent 0 3px, var(--mui-palette-background-paper) 3px 5px)',
                }),
              }}
            />
            {name}
          </Box>
        ))}
      </Box>
    </>
  )
}
