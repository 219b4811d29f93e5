import { isDecimal, product } from '~/lib/decimal'
import type { ClusterForm } from './schema'

/** A cluster as a range of lengths in millimetres; null is an open end. */
export interface LengthRange {
  /** Index of its row. */
  at: number
  name: string
  from: number | null
  to: number | null
  charged: number | null
}

/** Problem between ranges, and the range that it is reported at. */
export type Problem =
  | { kind: 'rangeGap' | 'rangeOverlap'; range: LengthRange; below: LengthRange; from: number; to: number }
  | { kind: 'openBelow' | 'openAbove'; range: LengthRange }

/** Boundary between two adjacent ranges. */
export interface Boundary {
  value: number
  below: LengthRange
  above: LengthRange
}

export type LengthLocation =
  | { kind: 'in'; range: LengthRange }
  | { kind: 'several' | 'between'; below: LengthRange; above: LengthRange }
  | { kind: 'under' | 'over'; range: LengthRange }
  | { kind: 'zero' | 'nowhere' }

/**
 * Converts a length to millimetres; `null` if it is not a number. Bounds of a ladder are whole millimetres.
 */
export const millimetres = (value: string | null, factor = '1000'): number | null =>
  value !== null && isDecimal(value) ? Number(product(value, factor)) : null

export const metres = (value: number): string => product(String(Math.round(value)), '0.001')

const low = (range: LengthRange) => range.from ?? 0
const high = (range: LengthRange) => range.to ?? Number.POSITIVE_INFINITY

/** Range of a row, or `null` if the row is not a valid range. */
function rangeOf({ short_code, minimum, maximum, calculation_value }: ClusterForm, at: number): LengthRange | null {
  const [from, to] = [millimetres(minimum), millimetres(maximum)]
  const unreadable = (minimum && from === null) || (maximum && to === null)
  if (unreadable || (from !== null && from <= 0) || (to !== null && to <= 0) || (from !== null && to !== null && to <= from)) return null
  return { at, name: short_code.trim() || String(at + 1), from, to, charged: millimetres(calculation_value) }
}

/** Ranges of all valid rows, sorted by their lower bounds. */
export function sortedRanges(clusters: readonly ClusterForm[]): LengthRange[] {
  return clusters
    .flatMap((cluster, at) => rangeOf(cluster, at) ?? [])
    .sort((a, b) => (a.from ?? -1) - (b.from ?? -1) || (high(a) === high(b) ? 0 : high(a) - high(b)))
}

/** Finds gaps, overlaps, and open ends between other ranges. */
export function findProblems(ranges: readonly LengthRange[]): Problem[] {
  let farthest: LengthRange | null = null
  return ranges.flatMap((range, place) => {
    const rangeProblems: Problem[] = []
    if (place > 0 && range.from === null) rangeProblems.push({ kind: 'openBelow', range })
    if (place < ranges.length - 1 && range.to === null) rangeProblems.push({ kind: 'openAbove', range })
    if (farthest?.to != null && range.from !== null && range.from !== farthest.to) {
      const overlaps = range.from < farthest.to
      rangeProblems.push({
        kind: overlaps ? 'rangeOverlap' : 'rangeGap',
        range,
        below: farthest,
        from: overlaps ? range.from : farthest.to,
        to: overlaps ? Math.min(farthest.to, high(range)) : range.from,
      })
    }
    if (range.to !== null && (farthest?.to == null || range.to > farthest.to)) farthest = range
    return rangeProblems
  })
}

/** Lane of a range in the picture: overlapping ranges are drawn in lanes above each other. */
export interface LaneAssignment {
  range: LengthRange
  lane: number
  /** Number of lanes of its group of overlapping ranges. */
  laneCount: number
}

export function assignLanes(ranges: readonly LengthRange[]): LaneAssignment[] {
  const placed: LaneAssignment[] = []
  let group: LaneAssignment[] = []
  // end of the last range in each lane of the group
  let laneEnds: number[] = []
  for (const range of ranges) {
    if (laneEnds.every((end) => end <= low(range))) [group, laneEnds] = [[], []]
    const free = laneEnds.findIndex((end) => end <= low(range))
    const lane = free < 0 ? laneEnds.length : free
    laneEnds[lane] = high(range)
    group.push({ range, lane, laneCount: 1 })
    placed.push(...group.slice(-1))
    for (const one of group) one.laneCount = laneEnds.length
  }
  return placed
}

/** Boundaries between adjacent ranges. */
export function boundaries(ranges: readonly LengthRange[]): Boundary[] {
  return ranges.slice(1).flatMap((above, place) => {
    const below = ranges[place] as LengthRange
    return below.to !== null && below.to === above.from ? [{ value: below.to, below, above }] : []
  })
}

/**
 * Returns the range that a length belongs to: from `from` to below `to`; the highest range includes its end.
 */
export function locateLength(ranges: readonly LengthRange[], length: number): LengthLocation {
  if (length <= 0) return { kind: 'zero' }
  const top = Math.max(...ranges.map(high))
  const contains = (range: LengthRange) =>
    (range.from ?? 0) <= length && (length < high(range) || (length === top && length === high(range)))
  const [first, second] = ranges.filter(contains)
  if (first && second) return { kind: 'several', below: first, above: second }
  if (first) return { kind: 'in', range: first }
  const above = ranges.find((range) => low(range) > length)
  const below = ranges.findLast((range) => high(range) <= length)
  if (above && below) return { kind: 'between', below, above }
  if (above) return { kind: 'under', range: above }
  return below ? { kind: 'over', range: below } : { kind: 'nowhere' }
}

/** Lengths that are drawn: all ends, with a margin at an open end. */
export function extent(ranges: readonly LengthRange[]): { from: number; to: number } {
  const ends = ranges.flatMap(({ from, to }) => [from, to]).filter((end) => end !== null)
  if (ends.length === 0) return { from: 0, to: 0 }
  const [first, last] = [Math.min(...ends), Math.max(...ends)]
  const more = Math.max((last - first) * 0.15, last === first ? last * 0.4 : 0)
  const openBelow = ranges.some((range) => range.from === null)
  const openAbove = ranges.some((range) => range.to === null)
  return { from: openBelow ? Math.max(0, first - more) : first, to: openAbove ? last + more : last }
}
