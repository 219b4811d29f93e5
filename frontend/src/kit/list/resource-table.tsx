import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import Paper from '@mui/material/Paper'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import { styled, useTheme } from '@mui/material/styles'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import TableSortLabel from '@mui/material/TableSortLabel'
import useMediaQuery from '@mui/material/useMediaQuery'
import { SearchX } from 'lucide-react'
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation, useNavigate } from 'react-router'
import type { Meta } from '~/api/schema'
import { useLabels } from '~/i18n/labels'
import { type Density, usePreferences } from '~/theme/preferences'
import { EmptyState } from '../feedback/empty-state'
import { useErrorText } from '../feedback/error-text'
import { LoadFailed } from '../feedback/load-failed'
import { useShortcut } from '../shortcuts/shortcuts'
import { visuallyHidden } from '../visually-hidden'
import type { Column } from './columns'
import type { Exporter } from './exporter'
import { FilterBar } from './filter-bar'
import { usualSort } from './list-state'
import { Pager } from './pager'
import { type RowAction, RowMenu } from './row-menu'
import { SelectBox } from './selection/select-box'
import type { Selection } from './selection/use-selection'
import { type ColumnChoice, useColumns } from './use-columns'
import type { List } from './use-list-state'

const ListTools = lazy(() => import('./list-tools'))

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

export interface ResourceTableProps<Row extends { id: number }> {
  list: List
  query: ListQuery<Row>
  columns: readonly Column<Row>[]
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
}

const PAD: Record<Density, number> = { compact: 4, standard: 9, comfortable: 14 }

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

const Row = styled(TableRow)({
  cursor: 'pointer',
  '&:hover': { backgroundColor: 'var(--mui-palette-action-hover)' },
  '&:has([data-row-link]:focus-visible)': { boxShadow: 'inset 3px 0 0 var(--mui-palette-primary-main)' },
  '&:last-of-type > *': { borderBottom: 0 },
})

export function ResourceTable<R extends { id: number }>(props: ResourceTableProps<R>) {
  const { list, query } = props
  const { t } = useTranslation()
  const { density } = usePreferences()
  const phone = useMediaQuery(useTheme().breakpoints.down('md'), { noSsr: true })
  const choice = useColumns(list.ns, props.columns)
  const frame = useRef<HTMLDivElement>(null)
  const { data } = query
  const dimmed = query.isPlaceholderData && query.isFetching

  const last = data && !query.isPlaceholderData ? Math.max(data.meta.last_page, 1) : null
  const beyond = last !== null && list.state.page > last
  useEffect(() => {
    // the last row of the last page was deleted, or the address was stale
    if (beyond && last !== null) list.setPage(last, true)
  }, [beyond, last, list])

  const rowLinks = () => [...(frame.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])]
  const move = (by: 1 | -1) => {
    const links = rowLinks()
    const at = links.indexOf(document.activeElement as HTMLElement)
    const next = at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + by, 0), links.length - 1)
    links[next]?.focus()
    links[next]?.scrollIntoView({ block: 'nearest' })
  }
  useShortcut('j', t('shortcuts.nextRow'), data ? () => move(1) : null)
  useShortcut('k', t('shortcuts.previousRow'), data ? () => move(-1) : null)

  const { selection } = props
  const choose = (range: boolean) => {
    const at = rowLinks().indexOf(document.activeElement as HTMLElement)
    const row = data?.data[at]
    if (row) selection?.toggle(row, range)
  }
  useShortcut('x', t('shortcuts.selectRow'), data && selection ? () => choose(false) : null)

  function onKeyDown(event: KeyboardEvent) {
    const target = event.target as HTMLElement
    // what lies above the list is a React child of it
    if (!frame.current?.contains(target)) return
    if (event.key === 'Escape' && selection && selection.count > 0) selection.clear()
    if (!target.hasAttribute('data-row-link')) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1)
    else if (event.key === ' ' && selection) choose(event.shiftKey)
    else return
    event.preventDefault()
  }

  const rows = data?.data ?? []
  const settled = Boolean(data) && !beyond
  const body = !settled ? (
    query.error ? (
      <LoadFailed error={query.error} retry={() => query.refetch()} pending={query.isFetching} />
    ) : phone ? (
      <CardSkeleton />
    ) : (
      <Grid {...props} shown={choice.shown} density={density} rows={null} />
    )
  ) : rows.length === 0 ? (
    list.filtered ? (
      <NoMatch list={list} suggestion={data?.meta.suggestion} />
    ) : (
      props.empty
    )
  ) : phone ? (
    <Cards {...props} shown={choice.shown} rows={rows} />
  ) : (
    <Grid {...props} shown={choice.shown} density={density} rows={rows} />
  )

  // with nothing at all there is nothing to search or page through
  const bare = settled && data?.meta.total === 0 && !list.filtered
  return (
    <Frame ref={frame} onKeyDown={onKeyDown}>
      {!bare && (
        <Stack direction="row" sx={{ alignItems: 'flex-start', gap: 1, p: 1.5, borderBottom: 1, borderColor: 'divider' }}>
          <FilterBar list={list} />
          {/* as high as what comes */}
          <Stack direction="row" sx={{ minHeight: 34, justifyContent: 'flex-end' }}>
            <Suspense fallback={null}>
              <ListTools
                list={list}
                columns={props.columns as readonly Column<unknown>[]}
                choice={choice as ColumnChoice<unknown>}
                total={data?.meta.total ?? 0}
                exporter={props.exporter}
                phone={phone}
              />
            </Suspense>
          </Stack>
        </Stack>
      )}
      {settled && query.error ? <StaleBanner query={query} /> : null}
      <Box
        aria-busy={query.isFetching}
        sx={{ display: 'flex', flexDirection: 'column', minHeight: 0, opacity: dimmed ? 0.55 : 1, transition: 'opacity 120ms' }}
      >
        {body}
      </Box>
      {props.foot}
      {settled && data && !bare && <Pager list={list} meta={data.meta} />}
    </Frame>
  )
}

type Inner<R extends { id: number }> = ResourceTableProps<R> & { shown: Column<R>[] }

function useRowLink<R extends { id: number }>({ rowHref }: Inner<R>) {
  const { search } = useLocation()
  const navigate = useNavigate()
  const to = (row: R) => ({ pathname: rowHref(row), search })
  return {
    to,
    open: (row: R) => {
      // selecting text in a row must not open it
      if (!getSelection()?.toString()) navigate(to(row))
    },
  }
}

function SortHead<R>({ column, list, children }: { column: Column<R>; list: List; children: ReactNode }) {
  const { t } = useTranslation()
  const key = column.sort
  if (!key || !list.spec.sorts.includes(key)) return children
  const { sort } = list.state
  const usual = usualSort(list.spec, list.state.filters)
  const direction = sort === key ? 'asc' : sort === `-${key}` ? 'desc' : null
  // ascending, descending, then back to the list's own order
  const next = direction === null ? key : direction === 'asc' ? `-${key}` : usual === `-${key}` ? key : usual
  return (
    <TableSortLabel active={direction !== null} direction={direction ?? 'asc'} onClick={() => list.setSort(next)}>
      {children}
      {direction && <span style={visuallyHidden}>{t(direction === 'asc' ? 'list.sortedUp' : 'list.sortedDown')}</span>}
    </TableSortLabel>
  )
}

function Grid<R extends { id: number }>(props: Inner<R> & { density: Density; rows: R[] | null }) {
  const { list, shown, density, rows, selection } = props
  const { t } = useTranslation()
  const labels = useLabels(list.ns)
  const link = useRowLink(props)
  const pad = PAD[density]
  const direction = (column: Column<R>) =>
    list.state.sort === column.sort ? 'ascending' : list.state.sort === `-${column.sort}` ? 'descending' : undefined
  return (
    <TableContainer sx={{ overflow: 'auto' }}>
      <Table stickyHeader sx={{ '& td, & tbody th': { py: `${pad}px` } }}>
        <caption style={visuallyHidden}>{labels.text('title.list')}</caption>
        <TableHead>
          <TableRow>
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
            {shown.map((column) => (
              <TableCell key={column.id} align={column.align} aria-sort={direction(column)} sx={{ width: column.width, py: 1 }}>
                <SortHead column={column} list={list}>
                  {labels.field(column.id)}
                </SortHead>
              </TableCell>
            ))}
            {props.rowActions && (
              <TableCell sx={{ width: 56, py: 1 }}>
                <span style={visuallyHidden}>{t('list.actions')}</span>
              </TableCell>
            )}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows === null
            ? Array.from({ length: 8 }, (_, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows have no identity
                <TableRow key={at}>
                  {selection && <TableCell />}
                  {shown.map((column, col) => (
                    <TableCell key={column.id}>
                      <Skeleton width={`${45 + ((at * 17 + col * 29) % 45)}%`} sx={column.align === 'right' ? { ml: 'auto' } : {}} />
                    </TableCell>
                  ))}
                  {props.rowActions && <TableCell />}
                </TableRow>
              ))
            : rows.map((row) => (
                <Row key={row.id} selected={selection?.has(row) ?? false} onClick={() => link.open(row)}>
                  {selection && (
                    <TableCell padding="checkbox" onClick={(event) => event.stopPropagation()} sx={{ cursor: 'default' }}>
                      <RowBox {...props} selection={selection} row={row} />
                    </TableCell>
                  )}
                  {shown.map((column, at) =>
                    at === 0 ? (
                      <TableCell
                        key={column.id}
                        component="th"
                        scope="row"
                        sx={{ fontWeight: 550, maxWidth: 420, whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' }}
                      >
                        <Link
                          component={RouterLink}
                          to={link.to(row)}
                          data-row-link
                          color="textPrimary"
                          underline="hover"
                          onClick={(event) => event.stopPropagation()}
                        >
                          {column.cell(row)}
                        </Link>
                      </TableCell>
                    ) : (
                      <TableCell key={column.id} align={column.align} sx={{ maxWidth: 360, overflowWrap: 'break-word' }}>
                        {column.cell(row)}
                      </TableCell>
                    ),
                  )}
                  {props.rowActions && (
                    <TableCell align="right" sx={{ '&&': { py: 0 } }}>
                      <RowMenu name={props.rowName(row)} actions={props.rowActions(row)} />
                    </TableCell>
                  )}
                </Row>
              ))}
        </TableBody>
      </Table>
    </TableContainer>
  )
}

function RowBox<R>({ rowName, selection, row }: { rowName: (row: R) => string; selection: Selection<R>; row: R }) {
  const { t } = useTranslation()
  return (
    <SelectBox
      label={t('list.select', { name: rowName(row) })}
      checked={selection.has(row)}
      onChange={(range) => selection.toggle(row, range)}
    />
  )
}

function Cards<R extends { id: number }>(props: Inner<R> & { rows: R[] }) {
  const { list, shown, rows } = props
  const labels = useLabels(list.ns)
  const link = useRowLink(props)
  const [title, ...rest] = shown
  const facts = rest.filter((column) => column.card).slice(0, 3)
  return (
    <Box component="ul" aria-label={labels.text('title.list')} sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {rows.map((row) => (
        <Box
          component="li"
          key={row.id}
          onClick={() => link.open(row)}
          sx={{
            display: 'flex',
            gap: 1,
            px: 2,
            py: 1.5,
            cursor: 'pointer',
            bgcolor: props.selection?.has(row) ? 'action.selected' : undefined,
            borderTop: 1,
            borderColor: 'divider',
            '&:first-of-type': { borderTop: 0 },
          }}
        >
          {props.selection && <RowBox {...props} selection={props.selection} row={row} />}
          <Box sx={{ flex: 1, minWidth: 0 }}>
            <Link
              component={RouterLink}
              to={link.to(row)}
              data-row-link
              color="textPrimary"
              underline="hover"
              onClick={(event) => event.stopPropagation()}
              sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}
            >
              {title?.cell(row)}
            </Link>
            <Box
              component="dl"
              sx={{ display: 'grid', gridTemplateColumns: 'auto 1fr', columnGap: 1.5, rowGap: 0.25, m: 0, mt: 0.5, fontSize: '0.875rem' }}
            >
              {facts.map((column) => (
                <Box key={column.id} sx={{ display: 'contents' }}>
                  <Box component="dt" sx={{ color: 'text.secondary' }}>
                    {labels.field(column.id)}
                  </Box>
                  <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
                    {column.cell(row)}
                  </Box>
                </Box>
              ))}
            </Box>
          </Box>
          {props.rowActions && <RowMenu name={props.rowName(row)} actions={props.rowActions(row)} />}
        </Box>
      ))}
    </Box>
  )
}

function CardSkeleton() {
  return (
    <Stack spacing={2} sx={{ p: 2 }}>
      {[0, 1, 2, 3, 4].map((at) => (
        <div key={at}>
          <Skeleton width={`${40 + at * 8}%`} height={26} />
          <Skeleton width="60%" />
        </div>
      ))}
    </Stack>
  )
}

export function NoMatch({ list, suggestion }: { list: List; suggestion?: string | undefined }) {
  const { t } = useTranslation()
  const searched = list.state.filters.find(({ field }) => field === list.spec.search)
  const search = (text: string) =>
    list.setFilters(list.state.filters.map((filter) => (filter === searched ? { ...filter, values: [text] } : filter)))
  return (
    <EmptyState
      icon={SearchX}
      title={t('list.noMatch')}
      action={
        <Button variant="outlined" onClick={() => list.setFilters([])}>
          {t('list.clearFilters')}
        </Button>
      }
    >
      {suggestion && searched ? (
        <>
          {t('list.didYouMean')}{' '}
          <Link component="button" type="button" onClick={() => search(suggestion)} sx={{ verticalAlign: 'baseline' }}>
            {suggestion}
          </Link>
        </>
      ) : (
        t('list.noMatchHint')
      )}
    </EmptyState>
  )
}

/** A refresh failed: what was loaded stays, with a word about its age. */
function StaleBanner<R>({ query }: { query: ListQuery<R> }) {
  const { t } = useTranslation()
  const text = useErrorText()
  return (
    <Alert
      severity="warning"
      sx={{ borderRadius: 0 }}
      action={
        <Button color="inherit" size="small" onClick={() => query.refetch()}>
          {t('actions.retry')}
        </Button>
      }
    >
      {t('list.stale')} {text(query.error)}
    </Alert>
  )
}
