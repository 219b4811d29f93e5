import { useMemo, useState } from 'react'
import type { Namespace } from '~/i18n/namespaces'
import { readJson, writeJson } from '~/lib/storage'
import type { TableColumn } from './columns'

interface StoredColumns {
  v: 1
  hidden: string[]
  shown: string[]
  /** Ids of all columns that existed when the user last moved one, in the user's order. */
  order: string[]
  widths: Record<string, number>
}

const NOTHING: StoredColumns = { v: 1, hidden: [], shown: [], order: [], widths: {} }
const NARROWEST = 56
const WIDEST = 800

/** Serialises a column for a view: its id, and its width if set, as in `name:240`. */
const columnText = (id: string, width: number | undefined) => (width === undefined ? id : `${id}:${width}`)

export function parseColumn(text: string): { id: string; width: number | undefined } {
  const [, id = text, width] = /^(.*):(\d{2,3})$/.exec(text) ?? []
  return { id, width: width === undefined ? undefined : Number(width) }
}

/**
 * Sorts columns by the user's order. The first column stays first; one that was added later follows its
 * neighbour in the default order.
 */
export function sortByOrder<C extends { id: string }>(all: readonly C[], order: readonly string[]): C[] {
  const rest = all.slice(1)
  const orderIndex = ({ id }: C) => order.indexOf(id)
  const orderedColumns = rest.filter((column) => orderIndex(column) >= 0).sort((a, b) => orderIndex(a) - orderIndex(b))
  rest.forEach((column, at) => {
    if (orderedColumns.includes(column)) return
    const before = rest[at - 1]
    orderedColumns.splice(before ? orderedColumns.indexOf(before) + 1 : 0, 0, column)
  })
  return [...all.slice(0, 1), ...orderedColumns]
}

/**
 * Columns of a list that the user wants to see, with order and widths, stored for each list. The first
 * column always stays.
 */
export function useColumns<Row>(ns: Namespace, defaultColumns: readonly TableColumn<Row>[]) {
  const [stored, setStored] = useState(() => readJson<StoredColumns>(`table:${ns}`, NOTHING))
  return useMemo(() => {
    const all = sortByOrder(defaultColumns, stored.order)
    const visible = (column: TableColumn<Row>, at: number) =>
      at === 0 || (column.optional ? stored.shown.includes(column.id) : !stored.hidden.includes(column.id))
    const store = (next: StoredColumns) => {
      writeJson(`table:${ns}`, next)
      setStored(next)
    }
    const visibleColumns = all.filter(visible)
    return {
      all,
      visibleColumns,
      /** Columns as a view stores them. */
      ids: visibleColumns.map(({ id }) => columnText(id, stored.widths[id])),
      /** Shows exactly the columns that a view has stored. */
      show(texts: readonly string[]) {
        const parsedColumns = texts.map(parseColumn)
        const ids = parsedColumns.map(({ id }) => id)
        const defaultIds = all.filter((column) => !column.optional).map(({ id }) => id)
        store({
          v: 1,
          hidden: defaultIds.filter((id) => !ids.includes(id)),
          // includes columns that appear only with a filter and may not exist yet
          shown: ids.filter((id) => !defaultIds.includes(id)),
          order: ids,
          widths: Object.fromEntries(parsedColumns.flatMap(({ id, width }) => (width === undefined ? [] : [[id, width]]))),
        })
      },
      isShown: (id: string) => all.some((column, at) => column.id === id && visible(column, at)),
      toggle(id: string) {
        const toggle = (list: string[]) => (list.includes(id) ? list.filter((other) => other !== id) : [...list, id])
        const optional = all.find((column) => column.id === id)?.optional
        store(optional ? { ...stored, shown: toggle(stored.shown) } : { ...stored, hidden: toggle(stored.hidden) })
      },
      move(from: number, to: number) {
        const order = all.map(({ id }) => id)
        order.splice(to, 0, ...order.splice(from, 1))
        store({ ...stored, order })
      },
      width: (id: string): number | undefined => stored.widths[id],
      /** Sets the width of a column; null for that of its content. */
      resize(id: string, width: number | null) {
        const { [id]: _, ...others } = stored.widths
        const ownWidth = width === null ? {} : { [id]: Math.round(Math.min(Math.max(width, NARROWEST), WIDEST)) }
        store({ ...stored, widths: { ...others, ...ownWidth } })
      },
    }
  }, [ns, defaultColumns, stored])
}

export type ColumnChoice<Row> = ReturnType<typeof useColumns<Row>>
