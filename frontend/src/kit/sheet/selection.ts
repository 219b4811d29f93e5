export interface CellPosition {
  row: number
  column: number
}

/**
 * Selected block of cells: `active` is the corner where it began and receives keys and typing; `head` is the
 * opposite one.
 */
export interface CellSelection {
  active: CellPosition
  head: CellPosition
}

/** Block of cells; all bounds are inclusive. */
export interface Block {
  top: number
  bottom: number
  left: number
  right: number
}

export interface Extent {
  rows: number
  columns: number
  /** Number of visible rows. */
  page: number
}

export interface Key {
  key: string
  shift: boolean
  ctrl: boolean
}

export const singleCell = (active: CellPosition): CellSelection => ({ active, head: active })

export const blockOf = ({ active, head }: CellSelection): Block => ({
  top: Math.min(active.row, head.row),
  bottom: Math.max(active.row, head.row),
  left: Math.min(active.column, head.column),
  right: Math.max(active.column, head.column),
})

export const sizeOf = ({ top, bottom, left, right }: Block) => ({ rows: bottom - top + 1, columns: right - left + 1 })

export function* cellsOf({ top, bottom, left, right }: Block): Generator<CellPosition> {
  for (let row = top; row <= bottom; row++) for (let column = left; column <= right; column++) yield { row, column }
}

export const isInBlock = ({ row, column }: CellPosition, { top, bottom, left, right }: Block) =>
  row >= top && row <= bottom && column >= left && column <= right

const clamp = (value: number, count: number) => Math.max(0, Math.min(value, count - 1))
export const clampToExtent = ({ row, column }: CellPosition, { rows, columns }: Extent): CellPosition => ({
  row: clamp(row, rows),
  column: clamp(column, columns),
})

/** Cell to which a key moves; null for other keys. */
function target({ row, column }: CellPosition, { key, ctrl }: Key, { rows, columns, page }: Extent): CellPosition | null {
  const last = { row: rows - 1, column: columns - 1 }
  switch (key) {
    case 'ArrowUp':
      return { row: ctrl ? 0 : row - 1, column }
    case 'ArrowDown':
      return { row: ctrl ? last.row : row + 1, column }
    case 'ArrowLeft':
      return { row, column: ctrl ? 0 : column - 1 }
    case 'ArrowRight':
      return { row, column: ctrl ? last.column : column + 1 }
    case 'PageUp':
      return { row: row - page, column }
    case 'PageDown':
      return { row: row + page, column }
    case 'Home':
      return { row: ctrl ? 0 : row, column: 0 }
    case 'End':
      return ctrl ? last : { row, column: last.column }
    default:
      return null
  }
}

/** Selection after a key; null for keys that select nothing. */
export function selectByKey(selection: CellSelection, key: Key, extent: Extent): CellSelection | null {
  const { active, head } = selection
  const last = { row: extent.rows - 1, column: extent.columns - 1 }
  if (key.key.toLowerCase() === 'a' && key.ctrl) return { active: { row: 0, column: 0 }, head: last }
  if (key.key === ' ' && key.shift) return { active: { ...active, column: 0 }, head: { ...head, column: last.column } }
  if (key.key === ' ' && key.ctrl) return { active: { ...active, row: 0 }, head: { ...head, row: last.row } }
  const to = target(key.shift ? head : active, key, extent)
  if (!to) return null
  return key.shift ? { active, head: clampToExtent(to, extent) } : singleCell(clampToExtent(to, extent))
}

/**
 * Next cell, continuing in the next row after the last column; null at the end of the sheet, where Tab
 * leaves it.
 */
export function selectByTab({ active: { row, column } }: CellSelection, back: boolean, { rows, columns }: Extent): CellSelection | null {
  const at = row * columns + column + (back ? -1 : 1)
  if (at < 0 || at >= rows * columns) return null
  return singleCell({ row: Math.floor(at / columns), column: at % columns })
}
