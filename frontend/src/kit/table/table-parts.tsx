import Link from '@mui/material/Link'
import Paper from '@mui/material/Paper'
import { type SxProps, styled, type Theme } from '@mui/material/styles'
import type { ComponentType, MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, type To, useLocation, useNavigate } from 'react-router'
import type { Meta } from '~/api/schema'
import type { RowParts } from '~/kit/form/sortable-area'
import type { RowAction } from '~/kit/ui/row-menu'
import type { TableColumn } from './columns'
import type { Exporter } from './exporter'
import { SelectBox } from './selection/select-box'
import type { RowSelection } from './selection/use-selection'
import type { ColumnChoice } from './use-columns'
import type { List } from './use-list-state'

export interface ListPage<Row> {
  data: Row[]
  meta: Meta
}

export interface ListQuery<Row> {
  data: ListPage<Row> | undefined
  error: unknown
  isFetching: boolean
  isPlaceholderData: boolean
  refetch: () => unknown
}

/** Reordering of rows within their list. */
export interface Ordering<Row> {
  /** Rows in the order to show, whatever the list's own order is. */
  rows: readonly Row[]
  /** Makes a row draggable. */
  Item: ComponentType<{ id: number; name: string; children: (parts: RowParts) => ReactNode }>
  /**
   * True if dragging is disabled and the rows are in the list's order. The rows stay mounted, so that open
   * ones stay open.
   */
  fixed: boolean
}

export interface ResourceTableProps<Row extends { id: number }> {
  list: List
  query: ListQuery<Row>
  columns: readonly TableColumn<Row>[]
  choice: ColumnChoice<Row>
  /** Name of a row for people. */
  rowName: (row: Row) => string
  /** Target of a row, relative to the list. */
  rowHref: (row: Row) => string
  rowActions?: (row: Row) => RowAction[]
  /** Content of a list without any rows. */
  empty: ReactNode
  /** Exports the list to a file. */
  exporter?: Exporter
  /** Selection of rows; absent if rows cannot be selected. */
  selection?: RowSelection<Row>
  /** Content below the rows. */
  foot?: ReactNode
  ordering?: Ordering<Row> | null
}

export type Inner<R extends { id: number }> = ResourceTableProps<R> & { visibleColumns: TableColumn<R>[] }

/** Frame around a list. */
export const ListFrame = styled(Paper)(({ theme }) => ({
  border: `1px solid ${(theme.vars ?? theme).palette.divider}`,
  borderRadius: 10,
  // no scroll container, so that sticky elements stick to the page
  overflow: 'clip',
  display: 'flex',
  flexDirection: 'column',
  minHeight: 0,
}))

/** Elements that handle clicks themselves, so that the row around them does not open. */
const OWN_CLICK = 'a, button, input, label, select, textarea, summary'

/**
 * True for a click on the row itself: not on a control in it, nor in a dialog opened from it, nor the second
 * click of a double click, which was meant for a dialog above the row.
 */
function isOnRow({ target, currentTarget, detail }: MouseEvent): boolean {
  return detail < 2 && target instanceof Element && currentTarget.contains(target) && target.closest(OWN_CLICK) === null
}

export function useRowLink<R extends { id: number }>({ rowHref }: Inner<R>) {
  const { search } = useLocation()
  const navigate = useNavigate()
  const to = (row: R) => ({ pathname: rowHref(row), search })
  return {
    to,
    open: (row: R, event: MouseEvent) => {
      // selecting text in a row must not open it
      if (isOnRow(event) && !getSelection()?.toString()) navigate(to(row))
    },
  }
}

/** Name of a row, as a link to it. */
export function RowLink({ to, children, sx }: { to: To; children: ReactNode; sx?: SxProps<Theme> }) {
  return (
    <Link
      component={RouterLink}
      to={to}
      data-row-link
      color="textPrimary"
      underline="hover"
      onClick={(event) => event.detail > 1 && event.preventDefault()}
      {...(sx && { sx })}
    >
      {children}
    </Link>
  )
}

export function RowBox<R>({ rowName, selection, row }: { rowName: (row: R) => string; selection: RowSelection<R>; row: R }) {
  const { t } = useTranslation()
  return (
    <SelectBox
      label={t('list.select', { name: rowName(row) })}
      checked={selection.isSelected(row)}
      onChange={(range) => selection.toggle(row, range)}
    />
  )
}

/** Renders a row as draggable, unless the order is fixed. */
export function orderedRow<R extends { id: number }>(
  { Item, fixed }: Ordering<R>,
  name: string,
  row: R,
  draw: (row: R, parts?: RowParts) => ReactNode,
) {
  return (
    <Item key={row.id} id={row.id} name={name}>
      {(parts) => (fixed ? draw(row) : draw(row, parts))}
    </Item>
  )
}
