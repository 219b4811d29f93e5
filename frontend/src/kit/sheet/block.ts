import { type Block, type CellPosition, cellsOf, type Extent, isInBlock, sizeOf } from './selection'

export interface Copied {
  from: CellPosition
  to: CellPosition
}

/**
 * Copies for "fill down": the block's first row into all others, or for a block of one row the row above
 * into it.
 */
export function fillDown(block: Block): Copied[] {
  const single = block.top === block.bottom
  const source = single ? block.top - 1 : block.top
  if (source < 0) return []
  return [...cellsOf({ ...block, top: source + 1 })].map((to) => ({ from: { ...to, row: source }, to }))
}

/**
 * Extends a block towards the cell to which the fill handle is dragged, along the axis with the greater
 * distance.
 */
export function stretch(block: Block, { row, column }: CellPosition): Block {
  const down = Math.max(row - block.bottom, block.top - row, 0)
  const aside = Math.max(column - block.right, block.left - column, 0)
  return down >= aside
    ? { ...block, top: Math.min(block.top, row), bottom: Math.max(block.bottom, row) }
    : { ...block, left: Math.min(block.left, column), right: Math.max(block.right, column) }
}

const wrap = (value: number, first: number, count: number) => first + ((((value - first) % count) + count) % count)

/** Copies that repeat a block over the wider one around it. */
export function fillTo(block: Block, target: Block): Copied[] {
  const { rows, columns } = sizeOf(block)
  return [...cellsOf(target)]
    .filter((to) => !isInBlock(to, block))
    .map((to) => ({ from: { row: wrap(to.row, block.top, rows), column: wrap(to.column, block.left, columns) }, to }))
}

export interface PastedBlock {
  cells: { at: CellPosition; text: string }[]
  block: Block
  /** Rows and columns that did not fit. */
  overflow: { rows: number; columns: number }
}

/** Places pasted cells at the block's corner, or repeats them if the block is a multiple of their size. */
export function placeClip(clip: readonly (readonly (string | undefined)[])[], block: Block, { rows, columns }: Extent): PastedBlock {
  const height = clip.length
  const width = Math.max(...clip.map((row) => row.length))
  const size = sizeOf(block)
  const isTiled = size.rows % height === 0 && size.columns % width === 0
  const pasteSize = isTiled ? size : { rows: height, columns: width }
  const bottom = Math.min(block.top + pasteSize.rows, rows) - 1
  const right = Math.min(block.left + pasteSize.columns, columns) - 1
  const target = { top: block.top, left: block.left, bottom, right }
  return {
    block: target,
    cells: [...cellsOf(target)].flatMap((at) => {
      const text = clip[(at.row - block.top) % height]?.[(at.column - block.left) % width]
      return text === undefined ? [] : [{ at, text }]
    }),
    overflow: { rows: block.top + pasteSize.rows - 1 - bottom, columns: block.left + pasteSize.columns - 1 - right },
  }
}
