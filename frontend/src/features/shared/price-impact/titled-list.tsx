import Table from '@mui/material/Table'
import TableContainer from '@mui/material/TableContainer'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'

export const AMOUNT_CELL = { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' } as const
/** Styles of a column that phones have no room for. */
export const FROM_SM = { display: { xs: 'none', sm: 'table-cell' } } as const

/** Table below its title, with its own scrolling. */
export function TitledList({ title, description, children }: { title: string; description?: string; children: ReactNode }) {
  const id = useId()
  return (
    <div>
      <Typography variant="h3" id={id}>
        {title}
      </Typography>
      {description && (
        <Typography variant="body2" color="textSecondary">
          {description}
        </Typography>
      )}
      <TableContainer
        tabIndex={0}
        role="region"
        aria-labelledby={id}
        sx={{ mt: 1, border: 1, borderColor: 'divider', borderRadius: 1, maxHeight: { sm: 340 } }}
      >
        <Table
          size="small"
          stickyHeader
          aria-labelledby={id}
          sx={{ '& th, & td': { px: { xs: 1, sm: 2 }, verticalAlign: 'top' }, '& tr:last-child > *': { borderBottom: 0 } }}
        >
          {children}
        </Table>
      </TableContainer>
    </div>
  )
}
