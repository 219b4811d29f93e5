import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useMemo } from 'react'
import { Outlet } from 'react-router'
import { useLabels } from '~/i18n/labels'
import type { TableColumn } from '~/kit/table/columns'
import { CreateButton } from '~/kit/table/create-button'
import type { Exporter } from '~/kit/table/exporter'
import type { ListSpec, ListState } from '~/kit/table/list-state'
import { ResourceTable } from '~/kit/table/resource-table'
import { type BulkSelection, useSelection } from '~/kit/table/selection/use-selection'
import type { ListPage, Ordering } from '~/kit/table/table-parts'
import { useColumns } from '~/kit/table/use-columns'
import { useListState } from '~/kit/table/use-list-state'
import { useStartView } from '~/kit/table/views/use-start-view'
import { EmptyState } from '~/kit/ui/empty-state'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { Page } from '~/kit/ui/page'
import type { RowAction } from '~/kit/ui/row-menu'
import { useMe } from '~/session/me'
import type { ResourceOf } from './resource'
import { useAllowedOperations } from './resources'
import type { Bulk } from './selection/bulk'
import { type RemovalTexts, useDelete } from './use-delete'
import { useRowActions } from './use-row-actions'
import { useSeesHistory } from './use-sees-history'
import type { UsageQuery } from './used-by'

const SelectionBar = lazyWithTexts(() => import('./selection/selection-bar'), 'selection')

/** Part of a resource's `api.ts` that its list needs. */
export interface ResourceApi<Row> {
  spec: ListSpec
  // biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
  list: (state: ListState) => UseQueryOptions<any, any, ListPage<Row>, any>
  /** Deletes a row; `confirm` is the retyped text. Absent if rows cannot be deleted. */
  remove?: (id: number, confirm: string) => Promise<unknown>
  usage?: UsageQuery
  export?: Exporter
  bulk?: Bulk
}

interface Props<Row extends { id: number }> {
  resource: ResourceOf<Row>
  api: ResourceApi<Row>
  columns: readonly TableColumn<Row>[]
  /** Name of a row for people; its title by default. */
  rowName?: (row: Row) => string
  /** Tab of its page that a row opens; the first one by default. */
  tab?: string
  /** Target of a row that is not opened here; it then offers `rowActions` only. */
  rowHref?: (row: Row) => string
  /** True if a record can be created; by default the permission alone decides. */
  creatable?: boolean
  /** Text of an empty list; `empty.body` by default. */
  empty?: string
  /** True if the form can copy rows. */
  copyable?: boolean
  /** True if the row can be changed; by default the permission alone decides. */
  writable?: (row: Row) => boolean
  /** True if the row can be deleted; by default all rows that can be changed. */
  deletable?: (row: Row) => boolean
  /** Further actions of a row. */
  rowActions?: (row: Row) => RowAction[]
  /**
   * Texts of a removal that is not called deletion, and the rows that allow it, regardless of `writable`.
   */
  removal?: RemovalTexts & { allowed: (row: Row) => boolean }
  /** True if the row's name has to be retyped for deleting. */
  retype?: boolean
  /** Renders further consequences of deleting a row in the confirmation. */
  deletes?: ((row: Row) => ReactNode) | undefined
  /** Renders the same for many rows. */
  bulkDeletes?: ((state: ListState, selection: BulkSelection) => ReactNode) | undefined
  /** Buttons beside the one that creates. */
  actions?: ReactNode
  /** Button that imports a file; also shown for an empty list. */
  importer?: ReactNode
  /** Content between heading and list. */
  children?: ReactNode
  /** Makes the rows reorderable while they are sorted by that order. */
  ordering?: Ordering<Row> | null
}

/** Screen of a resource: heading, list, and the form of a row in the outlet. */
export function ResourceList<Row extends { id: number }>(props: Props<Row>) {
  const { api, bulkDeletes } = props
  const { ns, icon, record, title } = props.resource
  const rowName = props.rowName ?? title
  const { bulk } = api
  const { text } = useLabels(ns)
  const may = useAllowedOperations(props.resource)
  const me = useMe()
  const list = useListState(ns, api.spec)
  const columns = useMemo(() => props.columns.filter((column) => !column.ofPlatform || me.tenant_id === null), [props.columns, me])
  const choice = useColumns(ns, columns)
  const ready = useStartView(list, columns, choice)
  const query = useQuery({ ...api.list(list.state), placeholderData: keepPreviousData, enabled: ready })
  const remove = useDelete<Row>({
    remove: async (row) => api.remove?.(row.id, rowName(row)),
    name: rowName,
    usage: api.usage,
    ...(props.retype && { retype: rowName }),
    undoable: !props.resource.irreversible && may.create,
    detail: props.deletes,
    texts: props.removal,
  })
  const total = query.data?.meta.total ?? 0
  // includes the previous page while it is still shown as placeholder
  const selection = useSelection(list, query.data?.data ?? [], total, rowName)
  const bulkActions = bulk && ((may.remove && bulk.remove) || (may.update && bulk.change)) ? bulk : null
  const rowActions = useRowActions<Row>({
    may,
    copyable: props.copyable,
    ...(api.remove && { remove }),
    writable: props.writable,
    deletable: props.deletable,
    removal: props.removal,
    moreActions: props.rowActions,
    record: useSeesHistory(props.resource) ? record : null,
  })
  const rowMenu = props.rowHref ? props.rowActions : rowActions
  const create = (props.creatable ?? may.create) && <CreateButton label={text('actions.new')} />
  return (
    <Page
      fill
      title={text('title.list')}
      actions={
        <>
          {props.actions}
          {props.importer}
          {create}
        </>
      }
    >
      {props.children}
      <ResourceTable
        list={list}
        query={query}
        columns={columns}
        choice={choice}
        rowName={rowName}
        rowHref={props.rowHref ?? ((row) => (props.tab ? `${row.id}/${props.tab}` : String(row.id)))}
        {...(rowMenu && { rowActions: rowMenu })}
        {...(api.export && { exporter: api.export })}
        {...(bulkActions && { selection })}
        ordering={props.ordering ?? null}
        foot={
          bulkActions &&
          selection.count > 0 && (
            <Suspense fallback={null}>
              <SelectionBar
                list={list}
                selection={selection}
                bulk={bulkActions}
                may={may}
                total={total}
                canOpenRecords={!props.rowHref}
                irreversible={props.resource.irreversible === 'everything'}
                deletes={bulkDeletes && ((selected) => bulkDeletes(list.state, selected))}
              />
            </Suspense>
          )
        }
        empty={
          <EmptyState
            icon={icon}
            title={text('empty.title')}
            action={
              (create || props.importer) && (
                <>
                  {props.importer}
                  {create}
                </>
              )
            }
          >
            {props.empty ?? text('empty.body')}
          </EmptyState>
        }
      />
      <Outlet />
    </Page>
  )
}
