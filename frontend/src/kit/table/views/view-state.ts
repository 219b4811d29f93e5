import type { SavedView, ViewState } from '~/api/schema'
import { preferences } from '~/theme/preferences'
import type { ListSpec, ListState } from '../list-state'
import { fitsOp, opsOf, PAGE_SIZES, specOf, validSort } from '../list-state'
import { parseColumn } from '../use-columns'
import type { List } from '../use-list-state'

/** State of a list that a view stores. */
export const stateOf = ({ filters, sort, size }: ListState, columns: readonly string[], density: ViewState['density']): ViewState => ({
  filters,
  sort,
  size,
  columns: [...columns],
  density,
})

/** Reduces a view to what the list still supports, like an address. */
export function sanitizeView(
  spec: ListSpec,
  columnIds: readonly string[],
  { filters, sort, size, columns, density }: ViewState,
): ViewState {
  const supportedFilters = filters.flatMap(({ field, op, values }) => {
    const filter = specOf(spec, field)?.spec
    const validValues = filter ? values.filter((value) => fitsOp(filter, op, value)) : []
    return filter && validValues.length > 0 && opsOf(filter).includes(op) ? [{ field, op, values: validValues }] : []
  })
  return {
    filters: supportedFilters,
    sort: validSort(spec, sort, supportedFilters),
    size: PAGE_SIZES.find((value) => value === size) ?? PAGE_SIZES[1],
    columns: validColumns(spec, columnIds, columns),
    density,
  }
}

/**
 * Columns of a view that exist. The first column stays first; the column of a value is valid because it
 * appears with its filter.
 */
function validColumns(spec: ListSpec, [first, ...others]: readonly string[], columns: readonly string[]): string[] {
  const lead = columns.find((text) => parseColumn(text).id === first) ?? first
  const rest = columns.filter((text) => {
    const { id } = parseColumn(text)
    return others.includes(id) || (id !== first && specOf(spec, id)?.record != null)
  })
  return [...(lead === undefined ? [] : [lead]), ...rest]
}

/** True if two states are equal; the order of filters does not matter. */
export function equalViews(a: ViewState, b: ViewState): boolean {
  const plain = ({ filters, columns, ...rest }: ViewState) =>
    JSON.stringify([
      filters.map(({ field, op, values }) => JSON.stringify([field, op, [...values].sort()])).sort(),
      columns,
      rest.sort,
      rest.size,
      rest.density,
    ])
  return plain(a) === plain(b)
}

interface Target {
  list: List
  columnIds: readonly string[]
  showColumns: (ids: readonly string[]) => void
}

/** Applies a view to a list. */
export function apply({ list, columnIds, showColumns }: Target, view: SavedView, replace = false): void {
  const { filters, sort, size, columns, density } = sanitizeView(list.spec, columnIds, view.state)
  showColumns(columns)
  preferences.set({ density })
  list.set({ filters, sort, size, page: 1, view: view.id }, replace)
}
