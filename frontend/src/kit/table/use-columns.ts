import { useMemo, useState } from 'react'
import type { Namespace } from '~/i18n/namespaces'
import { readJson, writeJson } from '~/lib/storage'
import type { TableColumn } from './columns'

interface Stored {
  v: 1
  hidden: string[]
  shown: string[]
  /** Ids of all columns that existed when the user last moved one, in the user's order. */
  order: string[]
  widths: Record<string, number>
}

const NOTHING: Stored = { v: 1, hidden: [], shown: [], order: [], widths: {} }
const NARROWEST = 56
const WIDEST = 800

/** Serialises a column for a view: its id, and its width if set, as in `name:240`. */
const written = (id: string, width: number | undefined) => (width === undefined ? id : `${id}:${width}`)

export function parseColumn(text: string): { id: string; width: number | undefined } {
  const [, id = text, width] = /^(.*):(\d{2,3})$/.exec(text) ?? []
  return { id, width: width === undefined ? undefined : Number(width) }
}

/**
 * Sorts columns by the user's order. The first column stays first; one that was added later follows its
 * neighbour in the default order.
 */
export function inOrder<C extends { id: string }>(all: readonly C[], order: readonly string[]): C[] {
  const rest = all.slice(1)
  const place = ({ id }: C) => order.indexOf(id)
  const placed = rest.filter((column) => place(column) >= 0).sort((a, b) => place(a) - place(b))
  rest.forEach((column, at) => {
    if (placed.includes(column)) return
    const before = rest[at - 1]
    placed.splice(before ? placed.indexOf(before) + 1 : 0, 0, column)
  })
  return [...all.slice(0, 1), ...placed]
}

/**
 * Columns of a list that the user wants to see, with order and widths, stored for each list. The first
 * column always stays.
 */
export function useColumns<Row>(ns: Namespace, natural: readonly TableColumn<Row>[]) {
  const [stored, setStored] = useState(() => readJson<Stored>(`table:${ns}`, NOTHING))
  return useMemo(() => {
    const all = inOrder(natural, stored.order)
    const visible = (column: TableColumn<Row>, at: number) =>
      at === 0 || (column.optional ? stored.shown.includes(column.id) : !stored.hidden.includes(column.id))
    const keep = (next: Stored) => {
      writeJson(`table:${ns}`, next)
      setStored(next)
    }
    const shown = all.filter(visible)
    return {
      all,
      shown,
      /** Columns as a view stores them. */
      ids: shown.map(({ id }) => written(id, stored.widths[id])),
      /** Shows exactly the columns that a view has stored. */
      show(texts: readonly string[]) {
        const given = texts.map(parseColumn)
        const ids = given.map(({ id }) => id)
        const usual = all.filter((column) => !column.optional).map(({ id }) => id)
        keep({
          v: 1,
          hidden: usual.filter((id) => !ids.includes(id)),
          // includes columns that appear only with a filter and may not exist yet
          shown: ids.filter((id) => !usual.includes(id)),
          order: ids,
          widths: Object.fromEntries(given.flatMap(({ id, width }) => (width === undefined ? [] : [[id, width]]))),
        })
      },
      isShown: (id: string) => all.some((column, at) => column.id === id && visible(column, at)),
      toggle(id: string) {
        const flip = (list: string[]) => (list.includes(id) ? list.filter((one) => one !== id) : [...list, id])
        const optional = all.find((column) => column.id === id)?.optional
        keep(optional ? { ...stored, shown: flip(stored.shown) } : { ...stored, hidden: flip(stored.hidden) })
      },
      move(from: number, to: number) {
        const order = all.map(({ id }) => id)
        order.splice(to, 0, ...order.splice(from, 1))
        keep({ ...stored, order })
      },
      width: (id: string): number | undefined => stored.widths[id],
      /** Sets the width of a column; null for that of its content. */
      resize(id: string, width: number | null) {
        const { [id]: _, ...others } = stored.widths
        const given = width === null ? {} : { [id]: Math.round(Math.min(Math.max(width, NARROWEST), WIDEST)) }
        keep({ ...stored, widths: { ...others, ...given } })
      },
    }
  }, [ns, natural, stored])
}

export type ColumnChoice<Row> = ReturnType<typeof useColumns<Row>>
