import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useMemo } from 'react'
import { Outlet } from 'react-router'
import { useLabels } from '~/i18n/labels'
import type { Column } from '~/kit/table/columns'
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
import { later } from '~/kit/ui/later'
import { Page } from '~/kit/ui/page'
import type { RowAction } from '~/kit/ui/row-menu'
import { useMe } from '~/session/me'
import type { Of } from './resource'
import { useMay } from './resources'
import type { Bulk } from './selection/bulk'
import { type RemovalTexts, useDelete } from './use-delete'
import { useRowActions } from './use-row-actions'
import { useSeesHistory } from './use-sees-history'
import type { UsageQuery } from './used-by'

const SelectionBar = later(() => import('./selection/selection-bar'), 'selection')

/** What a list needs of its resource's `api.ts`. */
export interface ResourceApi<Row> {
  spec: ListSpec
  // biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
  list: (state: ListState) => UseQueryOptions<any, any, ListPage<Row>, any>
  /** `confirm` is what was retyped. None of what stays. */
  remove?: (id: number, confirm: string) => Promise<unknown>
  usage?: UsageQuery
  export?: Exporter
  bulk?: Bulk
}

interface Props<Row extends { id: number }> {
  of: Of<Row>
  api: ResourceApi<Row>
  columns: readonly Column<Row>[]
  /** Names a row to a person, if not by its title. */
  rowName?: (row: Row) => string
  /** The tab of its page that a row opens, if not the first one. */
  tab?: string
  /** Where a row leads, if it is not opened here: then it offers `rowActions` alone. */
  rowHref?: (row: Row) => string
  /** Whether one can be made, if that is not a matter of the right alone. */
  creatable?: boolean
  /** Said where there is none yet, if not `empty.body`. */
  empty?: string
  /** A new one can be made from a row, as its form says. */
  copyable?: boolean
  /** Otherwise all rows can be changed by who may change any. */
  writable?: (row: Row) => boolean
  /** Otherwise all rows that can be changed can be deleted by who may delete any. */
  deletable?: (row: Row) => boolean
  /** What a row offers besides. */
  rowActions?: (row: Row) => RowAction[]
  /** Rows that may be deleted although they may not be changed, or the other way round, and what that is called. */
  removal?: RemovalTexts & { allowed: (row: Row) => boolean }
  /** Deleting asks for the row's name. */
  retype?: boolean
  /** What deleting a row does besides, told with the question. */
  deletes?: ((row: Row) => ReactNode) | undefined
  /** The same of many rows. */
  bulkDeletes?: ((state: ListState, selection: BulkSelection) => ReactNode) | undefined
  /** Beside the button that creates. */
  actions?: ReactNode
  /** A button that imports a file; it is also there where there is none yet. */
  importer?: ReactNode
  /** Between heading and list. */
  children?: ReactNode
  /** Its rows are put into an order here, as long as they are shown in it. */
  ordering?: Ordering<Row> | null
}

/** The whole screen of a resource: heading, list, and the form of a row in the outlet. */
export function ResourceList<Row extends { id: number }>(props: Props<Row>) {
  const { api, bulkDeletes } = props
  const { ns, icon, record, title } = props.of
  const rowName = props.rowName ?? title
  const { bulk } = api
  const { text } = useLabels(ns)
  const may = useMay(props.of)
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
    undoable: !props.of.lasting && may.create,
    detail: props.deletes,
    texts: props.removal,
  })
  const total = query.data?.meta.total ?? 0
  // also of the page before, as long as that is shown
  const selection = useSelection(list, query.data?.data ?? [], total, rowName)
  const many = bulk && ((may.remove && bulk.remove) || (may.update && bulk.change)) ? bulk : null
  const rowActions = useRowActions<Row>({
    may,
    copyable: props.copyable,
    ...(api.remove && { remove }),
    writable: props.writable,
    deletable: props.deletable,
    removal: props.removal,
    more: props.rowActions,
    record: useSeesHistory(props.of) ? record : null,
  })
  const offered = props.rowHref ? props.rowActions : rowActions
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
        {...(offered && { rowActions: offered })}
        {...(api.export && { exporter: api.export })}
        {...(many && { selection })}
        ordering={props.ordering ?? null}
        foot={
          many &&
          selection.count > 0 && (
            <Suspense fallback={null}>
              <SelectionBar
                list={list}
                selection={selection}
                bulk={many}
                may={may}
                total={total}
                opens={!props.rowHref}
                lasting={props.of.lasting === 'everything'}
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
