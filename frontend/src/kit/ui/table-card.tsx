import Box from '@mui/material/Box'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import type { ReactNode } from 'react'
import { Card } from './card'
import { LoadFailed } from './load-failed'
import { Waiting } from './waiting'

/** Styles of a cell that a narrow screen hides. */
export const NARROW = { display: { xs: 'none', md: 'table-cell' } } as const

/** Further cell: its head and its text. */
export type Fact = readonly [string, string]

interface Props<Row> {
  title: string
  /** Heads: the state, its subject, and those that only a wide screen shows. */
  heads: readonly [string, string, ...string[]]
  rows: readonly Row[] | undefined
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
  empty: ReactNode
  children: (rows: readonly Row[]) => ReactNode
  /** Content below the table. */
  foot?: ReactNode
}

/** Section of a page with a short table. */
export function TableCard<Row>({ title, heads, rows, query, empty, children, foot }: Props<Row>) {
  return (
    <Card title={title}>
      {query.error && !rows ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} pending={query.isFetching} />
      ) : !rows ? (
        <Waiting />
      ) : rows.length === 0 ? (
        empty
      ) : (
        <>
          <Table size="small" aria-label={title} sx={{ '& td, & th': { px: 1, verticalAlign: 'top' } }}>
            <TableHead>
              <TableRow>
                {heads.map((head, at) => (
                  <TableCell key={head} {...(at > 1 && { sx: NARROW })}>
                    {head}
                  </TableCell>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>{children(rows)}</TableBody>
          </Table>
          {foot}
        </>
      )}
    </Card>
  )
}

/** Further facts about a row, below its name on a narrow screen. */
export function NarrowFacts({ facts }: { facts: readonly Fact[] }) {
  return (
    <Box sx={{ display: { md: 'none' }, mt: 0.5, typography: 'caption', color: 'text.secondary' }}>
      {facts.map(([head, fact]) => `${head}: ${fact}`).join(' · ')}
    </Box>
  )
}

/** Further facts about a row, as cells on a wide screen. */
export function WideFacts({ facts }: { facts: readonly Fact[] }) {
  return facts.map(([head, fact]) => (
    <TableCell key={head} sx={NARROW}>
      {fact}
    </TableCell>
  ))
}
