import type { TableColumn } from './columns'
import { ExportMenu } from './export-menu'
import type { Exporter } from './exporter'
import type { ColumnChoice } from './use-columns'
import type { List } from './use-list-state'
import { ViewSettings } from './view-settings'
import { ViewsMenu } from './views/views-menu'

export interface ListToolsProps<Row> {
  list: List
  columns: readonly TableColumn<Row>[]
  choice: ColumnChoice<Row>
  /** Number of rows on all pages. */
  total: number
  exporter?: Exporter | undefined
  phone: boolean
}

/** Menus beside a list's filters, loaded after the list. */
export default function ListTools<Row>({ list, columns, choice, total, exporter, phone }: ListToolsProps<Row>) {
  return (
    <>
      <ViewsMenu list={list} columns={columns} choice={choice} phone={phone} />
      {exporter && total > 0 && <ExportMenu list={list} total={total} run={exporter} />}
      {!phone && columns.length > 0 && <ViewSettings ns={list.ns} columns={columns} choice={choice} />}
    </>
  )
}
