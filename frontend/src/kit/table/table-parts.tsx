import Link from '@mui/material/Link'
import Paper from '@mui/material/Paper'
import { type SxProps, styled, type Theme } from '@mui/material/styles'
import type { ComponentType, MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, type To, useLocation, useNavigate } from 'react-router'
import type { Meta } from '~/api/schema'
import type { RowParts } from '~/kit/form/sortable-area'
import type { RowAction } from '~/kit/ui/row-menu'
import type { Column } from './columns'
import type { Exporter } from './exporter'
import { SelectBox } from './selection/select-box'
import type { Selection } from './selection/use-selection'
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

/** Rows that are put into an order where they are listed. */
export interface Ordering<Row> {
  /** As they are to be shown, whatever the list's own order. */
  rows: readonly Row[]
  /** Makes a row one that is dragged. */
  Item: ComponentType<{ id: number; name: string; children: (parts: RowParts) => ReactNode }>
  /** None is dragged now, and they stand as the list has them. What is open in a row stays open. */
  fixed: boolean
}

export interface ResourceTableProps<Row extends { id: number }> {
  list: List
  query: ListQuery<Row>
  columns: readonly Column<Row>[]
  choice: ColumnChoice<Row>
  /** Names a row to a person. */
  rowName: (row: Row) => string
  /** Where a row leads, relative to the list. */
  rowHref: (row: Row) => string
  rowActions?: (row: Row) => RowAction[]
  /** Shown when there is nothing at all yet. */
  empty: ReactNode
  /** Writes the list into a file. */
  exporter?: Exporter
  /** Rows can be chosen. */
  selection?: Selection<Row>
  /** Below the rows. */
  foot?: ReactNode
  ordering?: Ordering<Row> | null
}

export type Inner<R extends { id: number }> = ResourceTableProps<R> & { shown: Column<R>[] }

/** What a list stands in. */
export const Frame = styled(Paper)(({ theme }) => ({
  border: `1px solid ${(theme.vars ?? theme).palette.divider}`,
  borderRadius: 10,
  // no scroll container: what sticks in it sticks to the page
  overflow: 'clip',
  display: 'flex',
  flexDirection: 'column',
  minHeight: 0,
}))

/** Elements with a click of their own, which does not open the row around them. */
const OWN_CLICK = 'a, button, input, label, select, textarea, summary'

/**
 * True for a click on the row itself: not on a control in it, nor on a dialog that one of them opened. Nor is it the
 * second click of a double click, which was meant for a dialog above the row.
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

/** What a row is called, which leads to it. */
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

export function RowBox<R>({ rowName, selection, row }: { rowName: (row: R) => string; selection: Selection<R>; row: R }) {
  const { t } = useTranslation()
  return (
    <SelectBox
      label={t('list.select', { name: rowName(row) })}
      checked={selection.has(row)}
      onChange={(range) => selection.toggle(row, range)}
    />
  )
}

/** A row that can be dragged, as its list draws it. */
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
