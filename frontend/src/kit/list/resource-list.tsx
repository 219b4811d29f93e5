import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { Outlet } from 'react-router'
import { useLabels } from '~/i18n/labels'
import type { Namespace } from '~/i18n/namespaces'
import { type Area, useAccess } from '~/session/access'
import { useMe } from '~/session/me'
import { EmptyState } from '../feedback/empty-state'
import { type RemovalTexts, useDelete } from '../feedback/use-delete'
import type { UsageQuery } from '../feedback/used-by'
import { Page } from '../shell/page'
import type { Column } from './columns'
import { CreateButton } from './create-button'
import type { Exporter } from './exporter'
import type { ListSpec, ListState } from './list-state'
import { type ListPage, ResourceTable } from './resource-table'
import type { RowAction } from './row-menu'
import type { Bulk } from './selection/bulk'
import { useSelection } from './selection/use-selection'
import { useListState } from './use-list-state'
import { useRowActions } from './use-row-actions'

const SelectionBar = lazy(() => import('./selection/selection-bar'))

/** What a list needs of its resource's `api.ts`. */
export interface ResourceApi<Row> {
  /** What is stale after a change. */
  keys: readonly QueryKey[]
  // biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
  list: (state: ListState) => UseQueryOptions<any, any, ListPage<Row>, any>
  /** `confirm` is what was retyped. */
  remove: (id: number, confirm: string) => Promise<unknown>
  usage?: UsageQuery
  export?: Exporter
  bulk?: Bulk
}

interface Props<Row extends { id: number }> {
  /** Names the list in texts, and its columns in what is kept of them. */
  ns: Namespace
  /** The rights that its buttons ask for. */
  area: Area
  /** Platform-wide master data, which only tenant-less users write. */
  platform?: boolean
  api: ResourceApi<Row>
  spec: ListSpec
  columns: readonly Column<Row>[]
  icon: LucideIcon
  /** Names a row to a person. */
  rowName: (row: Row) => string
  /** What the history calls its records; of those of the platform, tenants see none. */
  record?: string
  /** Otherwise all rows can be changed by who may change any. */
  writable?: (row: Row) => boolean
  /** What a row offers besides. */
  rowActions?: (row: Row) => RowAction[]
  /** Rows that may be deleted although they may not be changed, or the other way round, and what that is called. */
  removal?: RemovalTexts & { allowed: (row: Row) => boolean }
  /** Deleting asks for the row's name. */
  retype?: boolean
  /** Beside the button that creates. */
  actions?: ReactNode
}

/** The whole screen of a resource: heading, list, and the form of a row in the outlet. */
export function ResourceList<Row extends { id: number }>(props: Props<Row>) {
  const { ns, api, rowName } = props
  const { bulk } = api
  const { text } = useLabels(ns)
  const may = useAccess(props.area, { platform: props.platform ?? false })
  const me = useMe()
  const list = useListState(ns, props.spec)
  const query = useQuery({ ...api.list(list.state), placeholderData: keepPreviousData })
  const remove = useDelete<Row>({
    remove: (row) => api.remove(row.id, rowName(row)),
    keys: api.keys,
    name: rowName,
    usage: api.usage,
    ...(props.retype && { retype: rowName }),
    texts: props.removal,
  })
  const total = query.data?.meta.total ?? 0
  // also of the page before, as long as that is shown
  const selection = useSelection(list, query.data?.data ?? [], total, rowName)
  const many = bulk && (may.remove || (may.update && bulk.change)) ? bulk : null
  const rowActions = useRowActions<Row>({
    may,
    remove,
    writable: props.writable,
    removal: props.removal,
    more: props.rowActions,
    record: props.platform && me.tenant_id !== null ? undefined : props.record,
  })
  const create = may.create && <CreateButton label={text('actions.new')} />
  return (
    <Page
      fill
      title={text('title.list')}
      actions={
        <>
          {props.actions}
          {create}
        </>
      }
    >
      <ResourceTable
        list={list}
        query={query}
        columns={props.columns}
        rowName={rowName}
        rowHref={(row) => String(row.id)}
        rowActions={rowActions}
        {...(api.export && { exporter: api.export })}
        {...(many && { selection })}
        foot={
          many &&
          selection.count > 0 && (
            <Suspense fallback={null}>
              <SelectionBar list={list} selection={selection} bulk={many} may={may} keys={api.keys} total={total} />
            </Suspense>
          )
        }
        empty={
          <EmptyState icon={props.icon} title={text('empty.title')} action={create}>
            {text('empty.body')}
          </EmptyState>
        }
      />
      <Outlet />
    </Page>
  )
}
