import type { CellPosition } from './selection'

/** Scrolls the sheet, but nothing around it, until a cell is visible beside the sticky columns. */
export function reveal(frame: HTMLElement, { row, column }: CellPosition, rowHeight: number): void {
  const heads = [...frame.querySelectorAll<HTMLElement>('thead th')]
  const head = heads[column]
  const visibleHeight = frame.clientHeight - (head?.offsetHeight ?? 0)
  const top = row * rowHeight
  if (top < frame.scrollTop) frame.scrollTop = top
  else if (top + rowHeight > frame.scrollTop + visibleHeight) frame.scrollTop = top + rowHeight - visibleHeight

  const isSticky = (element: HTMLElement) => getComputedStyle(element).position === 'sticky'
  if (!head || isSticky(head)) return
  const rtl = getComputedStyle(frame).direction === 'rtl'
  const edge = frame.getBoundingClientRect()
  const stickyEdge = heads.filter(isSticky).at(-1)?.getBoundingClientRect()
  const left = rtl ? edge.left : (stickyEdge?.right ?? edge.left)
  const right = rtl ? (stickyEdge?.left ?? edge.right) : edge.left + frame.clientWidth
  const box = head.getBoundingClientRect()
  if (box.left < left) frame.scrollLeft += box.left - left
  else if (box.right > right) frame.scrollLeft += Math.min(box.right - right, box.left - left)
}
