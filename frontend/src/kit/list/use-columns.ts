import { useMemo, useState } from 'react'
import type { Namespace } from '~/i18n/namespaces'
import { readJson, writeJson } from '~/lib/storage'
import type { Column } from './columns'

interface Stored {
  v: 1
  hidden: string[]
  shown: string[]
}

/** Which columns a person wants to see, kept per list. The first column always stays. */
export function useColumns<Row>(ns: Namespace, all: readonly Column<Row>[]) {
  const [stored, setStored] = useState(() => readJson<Stored>(`table:${ns}`, { v: 1, hidden: [], shown: [] }))
  return useMemo(() => {
    const visible = (column: Column<Row>, at: number) =>
      at === 0 || (column.optional ? stored.shown.includes(column.id) : !stored.hidden.includes(column.id))
    const keep = (next: Stored) => {
      writeJson(`table:${ns}`, next)
      setStored(next)
    }
    const shown = all.filter(visible)
    return {
      shown,
      ids: shown.map((column) => column.id),
      /** These, and no others. */
      show(ids: readonly string[]) {
        const usual = all.filter((column) => !column.optional).map(({ id }) => id)
        keep({
          v: 1,
          hidden: usual.filter((id) => !ids.includes(id)),
          // those that come with a filter may not be here yet
          shown: ids.filter((id) => !usual.includes(id)),
        })
      },
      isShown: (id: string) => all.some((column, at) => column.id === id && visible(column, at)),
      toggle(id: string) {
        const flip = (list: string[]) => (list.includes(id) ? list.filter((one) => one !== id) : [...list, id])
        const optional = all.find((column) => column.id === id)?.optional
        keep(optional ? { ...stored, shown: flip(stored.shown) } : { ...stored, hidden: flip(stored.hidden) })
      },
    }
  }, [ns, all, stored])
}

export type ColumnChoice<Row> = ReturnType<typeof useColumns<Row>>
