import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import TableSortLabel from '@mui/material/TableSortLabel'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '~/i18n/labels'
import type { RowParts } from '~/kit/form/sortable-area'
import { RowMenu } from '~/kit/ui/row-menu'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import type { Density } from '~/theme/preferences'
import type { TableColumn } from './columns'
import { defaultSortOf } from './list-state'
import { ResizeHandle } from './resize-handle'
import { SelectBox } from './selection/select-box'
import { type Inner, orderedRow, RowBox, RowLink, useRowLink } from './table-parts'
import type { List } from './use-list-state'

const PAD: Record<Density, number> = { compact: 4, standard: 9, comfortable: 14 }

const ONE_LINE = { whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' } as const

/**
 * Sticky cell at the end of a row; opaque, in the colour of its row. Content that scrolls below it fades
 * out.
 */
const Sticky = styled(TableCell)(({ theme }) => ({
  position: 'sticky',
  insetInlineEnd: 0,
  '&::before': {
    content: '""',
    position: 'absolute',
    insetBlock: 0,
    insetInlineEnd: '100%',
    // not wider than a cell's padding, so that it covers no content when nothing scrolls below it
    width: 12,
    pointerEvents: 'none',
    background: 'inherit',
    maskImage: 'linear-gradient(90deg, transparent, #000)',
  },
  '[dir=rtl] &::before': { transform: 'scaleX(-1)' },
  '&.MuiTableCell-body': {
    backgroundColor: (theme.vars ?? theme).palette.background.paper,
    backgroundImage: 'linear-gradient(var(--row-tint, transparent), var(--row-tint, transparent))',
  },
  '&.MuiTableCell-stickyHeader': { zIndex: 3 },
}))

const Row = styled(TableRow)({
  cursor: 'pointer',
  '&.Mui-selected, &.Mui-selected:hover': {
    '--row-tint': 'rgba(var(--mui-palette-primary-mainChannel) / var(--mui-palette-action-selectedOpacity))',
  },
  '&:hover': { '--row-tint': 'var(--mui-palette-action-hover)', backgroundColor: 'var(--row-tint)' },
  '&:has([data-row-link]:focus-visible)': { boxShadow: 'inset 3px 0 0 var(--mui-palette-primary-main)' },
  '&:last-of-type > *': { borderBottom: 0 },
})

const DRAGGED = { position: 'relative', zIndex: 4, boxShadow: 4, bgcolor: 'background.paper' } as const

function SortHead<R>({ column, list, children }: { column: TableColumn<R>; list: List; children: ReactNode }) {
  const { t } = useTranslation()
  const key = column.sort
  if (!key || !list.spec.sorts.includes(key)) return children
  const { sort } = list.state
  const initialSort = defaultSortOf(list.spec, list.state.filters)
  const direction = sort === key ? 'asc' : sort === `-${key}` ? 'desc' : null
  // ascending, descending, then the list's default order
  const next = direction === null ? key : direction === 'asc' ? `-${key}` : initialSort === `-${key}` ? key : initialSort
  return (
    <TableSortLabel active={direction !== null} direction={direction ?? 'asc'} onClick={() => list.setSort(next)}>
      {children}
      {direction && <span style={visuallyHidden}>{t(direction === 'asc' ? 'list.sortedUp' : 'list.sortedDown')}</span>}
    </TableSortLabel>
  )
}

export function Grid<R extends { id: number }>(props: Inner<R> & { density: Density; rows: R[] | null }) {
  const { list, visibleColumns, density, rows, selection, choice, ordering } = props
  const { t } = useTranslation()
  const labels = useLabels(list.ns)
  const link = useRowLink(props)
  const hasHandles = ordering ? !ordering.fixed : false
  const pad = PAD[density]
  const sized = ({ id }: TableColumn<R>) => {
    const width = choice.width(id)
    return width === undefined ? {} : { '--column': `${width}px`, width, minWidth: width, maxWidth: width, overflowWrap: 'anywhere' }
  }
  const direction = (column: TableColumn<R>) =>
    list.state.sort === column.sort ? 'ascending' : list.state.sort === `-${column.sort}` ? 'descending' : undefined
  const draw = (row: R, parts?: RowParts) => (
    <Row
      key={row.id}
      ref={parts?.ref}
      style={parts?.style}
      selected={selection?.isSelected(row) ?? false}
      onClick={(event) => link.open(row, event)}
      sx={parts?.dragging ? DRAGGED : {}}
    >
      {parts && (
        <TableCell padding="checkbox" onClick={(event) => event.stopPropagation()} sx={{ cursor: 'default' }}>
          {parts.handle}
        </TableCell>
      )}
      {selection && (
        <TableCell padding="checkbox" onClick={(event) => event.stopPropagation()} sx={{ cursor: 'default' }}>
          <RowBox {...props} selection={selection} row={row} />
        </TableCell>
      )}
      {visibleColumns.map((column, at) =>
        at === 0 ? (
          <TableCell
            key={column.id}
            component="th"
            scope="row"
            sx={{
              fontWeight: 550,
              maxWidth: 420,
              ...ONE_LINE,
              ...sized(column),
            }}
          >
            <RowLink to={link.to(row)}>{column.cell(row)}</RowLink>
          </TableCell>
        ) : (
          <TableCell
            key={column.id}
            align={column.align}
            sx={{
              maxWidth: 360,
              overflowWrap: 'break-word',
              textWrap: 'pretty',
              ...(column.noWrap && ONE_LINE),
              ...sized(column),
            }}
          >
            {column.cell(row)}
          </TableCell>
        ),
      )}
      {props.rowActions && (
        <Sticky align="right" sx={{ '&&': { py: 0 } }}>
          <RowMenu name={props.rowName(row)} actions={props.rowActions(row)} />
        </Sticky>
      )}
    </Row>
  )
  return (
    <TableContainer sx={{ overflow: 'auto' }}>
      <Table stickyHeader sx={{ '& td, & tbody th': { py: `${pad}px` }, '& :is(td, th):not(.MuiTableCell-paddingCheckbox)': { px: 1.5 } }}>
        <caption style={visuallyHidden}>{labels.text('title.list')}</caption>
        <TableHead>
          <TableRow>
            {hasHandles && (
              <TableCell padding="checkbox" sx={{ py: 1 }}>
                <span style={visuallyHidden}>{t('list.order')}</span>
              </TableCell>
            )}
            {selection && (
              <TableCell padding="checkbox" sx={{ py: 1 }}>
                <SelectBox
                  label={t('list.selectPage')}
                  checked={selection.page === 'all'}
                  indeterminate={selection.page === 'some'}
                  onChange={selection.togglePage}
                />
              </TableCell>
            )}
            {visibleColumns.map((column) => (
              <TableCell
                key={column.id}
                data-column={column.id}
                align={column.align}
                aria-sort={direction(column)}
                sx={{ width: column.width, py: 1, ...sized(column) }}
              >
                <SortHead column={column} list={list}>
                  {column.label ?? labels.field(column.id)}
                </SortHead>
                <ResizeHandle onResize={(width) => choice.resize(column.id, width)} />
              </TableCell>
            ))}
            {props.rowActions && (
              <Sticky sx={{ width: 56, py: 1 }}>
                <span style={visuallyHidden}>{t('list.actions')}</span>
              </Sticky>
            )}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows === null
            ? Array.from({ length: 8 }, (_, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows have no identity
                <TableRow key={at}>
                  {hasHandles && <TableCell />}
                  {selection && <TableCell />}
                  {visibleColumns.map((column, col) => (
                    <TableCell key={column.id}>
                      <Skeleton width={`${45 + ((at * 17 + col * 29) % 45)}%`} sx={column.align === 'right' ? { ml: 'auto' } : {}} />
                    </TableCell>
                  ))}
                  {props.rowActions && <TableCell />}
                </TableRow>
              ))
            : rows.map((row) => (ordering ? orderedRow(ordering, props.rowName(row), row, draw) : draw(row)))}
        </TableBody>
      </Table>
    </TableContainer>
  )
}
