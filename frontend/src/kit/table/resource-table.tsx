import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import { type KeyboardEvent, Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { LoadFailed } from '~/kit/ui/load-failed'
import { useShortcut } from '~/kit/ui/shortcuts'
import { usePreferences } from '~/theme/preferences'
import { useCards } from './aligned'
import type { TableColumn } from './columns'
import { FilterBar } from './filter-bar'
import { Pager } from './pager'
import { CardSkeleton, Cards } from './table-cards'
import { Grid } from './table-grid'
import { ListFrame, type ResourceTableProps } from './table-parts'
import { NoMatch, StaleBanner } from './table-states'
import type { ColumnChoice } from './use-columns'

const ListTools = lazyWithTexts(() => import('./list-tools'), 'listTools')

export function ResourceTable<R extends { id: number }>(props: ResourceTableProps<R>) {
  const { list, query } = props
  const { t } = useTranslation()
  const { density } = usePreferences()
  const phone = useCards()
  const { choice } = props
  const frame = useRef<HTMLDivElement>(null)
  const { data } = query
  const listed = props.ordering && !props.ordering.fixed ? props.ordering.rows : data?.data
  const isDimmed = query.isPlaceholderData && query.isFetching

  const last = data && !query.isPlaceholderData ? Math.max(data.meta.last_page, 1) : null
  const isBeyondLastPage = last !== null && list.state.page > last
  useEffect(() => {
    // the last row of the last page was deleted, or the address was out of date
    if (isBeyondLastPage && last !== null) list.setPage(last, true)
  }, [isBeyondLastPage, last, list])

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
    const row = listed?.[at]
    if (row) selection?.toggle(row, range)
  }
  useShortcut('x', t('shortcuts.selectRow'), data && selection ? () => choose(false) : null)

  function onKeyDown(event: KeyboardEvent) {
    const target = event.target as HTMLElement
    // dialogs above the list are React children of it, so their events arrive here
    if (!frame.current?.contains(target)) return
    if (event.key === 'Escape' && selection && selection.count > 0) selection.clear()
    if (!target.hasAttribute('data-row-link')) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1)
    else if (event.key === ' ' && selection) choose(event.shiftKey)
    else return
    event.preventDefault()
  }

  const rows = data && listed ? [...listed] : []
  const isLoaded = Boolean(data) && !isBeyondLastPage
  const body = !isLoaded ? (
    query.error ? (
      <LoadFailed error={query.error} retry={() => query.refetch()} pending={query.isFetching} />
    ) : phone ? (
      <CardSkeleton />
    ) : (
      <Grid {...props} visibleColumns={choice.visibleColumns} density={density} rows={null} />
    )
  ) : rows.length === 0 ? (
    list.filtered ? (
      <NoMatch list={list} suggestion={data?.meta.suggestion} />
    ) : (
      props.empty
    )
  ) : phone ? (
    <Cards {...props} visibleColumns={choice.visibleColumns} rows={rows} />
  ) : (
    <Grid {...props} visibleColumns={choice.visibleColumns} density={density} rows={rows} />
  )

  // an empty list needs no search and no pager
  const isEmpty = isLoaded && data?.meta.total === 0 && !list.filtered
  return (
    <ListFrame ref={frame} onKeyDown={onKeyDown}>
      {!isEmpty && (
        <Stack direction="row" sx={{ alignItems: 'flex-start', gap: 1, p: 1.5, borderBottom: 1, borderColor: 'divider' }}>
          <FilterBar list={list} />
          {/* as high as the loaded tools */}
          <Stack direction="row" sx={{ minHeight: 34, justifyContent: 'flex-end' }}>
            <Suspense fallback={null}>
              <ListTools
                list={list}
                columns={props.columns as readonly TableColumn<unknown>[]}
                choice={choice as ColumnChoice<unknown>}
                total={data?.meta.total ?? 0}
                exporter={props.exporter}
                phone={phone}
              />
            </Suspense>
          </Stack>
        </Stack>
      )}
      {choice.visibleColumns.map(
        ({ id, controls }) =>
          controls && (
            <Box key={id} sx={{ px: 1.5, py: 1, minHeight: 57, borderBottom: 1, borderColor: 'divider' }}>
              {controls}
            </Box>
          ),
      )}
      {isLoaded && query.error ? <StaleBanner query={query} /> : null}
      <Box
        aria-busy={query.isFetching}
        sx={{ display: 'flex', flexDirection: 'column', minHeight: 0, opacity: isDimmed ? 0.55 : 1, transition: 'opacity 120ms' }}
      >
        {body}
      </Box>
      {props.foot}
      {isLoaded && data && !isEmpty && <Pager list={list} meta={data.meta} />}
    </ListFrame>
  )
}
