import { halfOf } from '~/kit/plot/scale'
import { isShown, type MapPoint, type Size } from './view'

/** Marker on the map with its name. */
export interface NamedMarker extends MapPoint {
  id: number
  name: string
  /** Priority of the name: greater ones are placed first. */
  weight: number
}

export interface Label extends MapPoint {
  anchor: 'start' | 'middle' | 'end'
}

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

const MARKER = 9
const HEIGHT = 14
const GAP = 11

const overlaps = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** Possible places of a name: right of the marker, left of it, above, below. */
function choices({ x, y, name }: NamedMarker): { label: Label; box: Box }[] {
  const halfWidth = halfOf(name)
  const box = (left: number, baseline: number): Box => ({
    left,
    right: left + 2 * halfWidth,
    top: baseline - HEIGHT + 3,
    bottom: baseline + 3,
  })
  return [
    { label: { x: x + GAP, y: y + 4, anchor: 'start' }, box: box(x + GAP, y + 4) },
    { label: { x: x - GAP, y: y + 4, anchor: 'end' }, box: box(x - GAP - 2 * halfWidth, y + 4) },
    { label: { x, y: y - GAP, anchor: 'middle' }, box: box(x - halfWidth, y - GAP) },
    { label: { x, y: y + GAP + HEIGHT - 4, anchor: 'middle' }, box: box(x - halfWidth, y + GAP + HEIGHT - 4) },
  ]
}

const isInside = ({ left, right, top, bottom }: Box, { width, height }: Size) => left >= 0 && top >= 0 && right <= width && bottom <= height
const containsPoint = ({ left, right, top, bottom }: Box, { x, y }: MapPoint) => x > left && x < right && y > top && y < bottom

/**
 * Places names so that none covers a marker, another name or the edge of the map; of the remaining places,
 * the one that covers the fewest points of lines is used. A name without room is left out.
 */
export function placeLabels(nodes: readonly NamedMarker[], size: Size, lines: readonly MapPoint[] = []): ReadonlyMap<number, Label> {
  const visibleNodes = nodes.filter((node) => isShown(node, size))
  const takenBoxes: Box[] = visibleNodes.map(({ x, y }) => ({ left: x - MARKER, right: x + MARKER, top: y - MARKER, bottom: y + MARKER }))
  const labels = new Map<number, Label>()
  for (const node of [...visibleNodes].sort((a, b) => b.weight - a.weight || a.id - b.id)) {
    const [free] = choices(node)
      .filter(({ box }) => isInside(box, size) && !takenBoxes.some((other) => overlaps(box, other)))
      .map((choice) => ({ ...choice, crossed: lines.filter((point) => containsPoint(choice.box, point)).length }))
      .sort((a, b) => a.crossed - b.crossed)
    if (!free) continue
    takenBoxes.push(free.box)
    labels.set(node.id, free.label)
  }
  return labels
}
