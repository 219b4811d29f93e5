/** Range of values that a drawing shows, from left to right. */
export interface Scale {
  from: number
  to: number
}

/** Margin beside a drawing, so that labels at its ends are not cut off. */
export const EDGE = 20

const inner = (width: number) => Math.max(width - 2 * EDGE, 1)

/** Maps a value to its x position in a drawing of this width. */
export const scaleX =
  ({ from, to }: Scale, width: number) =>
  (value: number): number =>
    EDGE + ((value - from) / (to - from)) * inner(width)

/** Value that one pixel stands for. */
export const perPixel = ({ from, to }: Scale, width: number): number => (to - from) / inner(width)

/** Estimated half width of a text of 12 px, with a small margin. */
export const halfOf = (text: string) => (text.length * 7) / 2 + 3

/** Returns the x position of a centred text, moved so that the drawing's ends do not cut it off. */
export const centred = (x: number, text: string, width: number) => Math.max(Math.min(x, width - halfOf(text)), halfOf(text))

/** Assigns rows to labels: one that would touch another moves to the next row. */
export function staggerLabels<L extends { x: number; text: string }>(labels: readonly L[]): (L & { row: number })[] {
  const rowEnds: number[] = []
  return labels.map((label) => {
    const halfWidth = halfOf(label.text)
    const freeRow = rowEnds.findIndex((right) => right <= label.x - halfWidth)
    const row = freeRow < 0 ? rowEnds.length : freeRow
    rowEnds[row] = label.x + halfWidth
    return { ...label, row }
  })
}

export const countLabelRows = (labels: readonly { row: number }[]) => Math.max(1, ...labels.map(({ row }) => row + 1))

/** Shortens a text to the given width; an empty string if fewer than three letters fit. */
export function truncate(text: string, availableWidth: number): string {
  const maxLetters = Math.floor(availableWidth / 8)
  if (text.length <= maxLetters) return text
  return maxLetters < 3 ? '' : `${text.slice(0, maxLetters - 1)}\u2026`
}
