import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect } from 'react'

interface Options {
  frame: RefObject<HTMLDivElement | null>
  count: number
  rowHeight: number
  /** Index of the active row, which is always rendered because it has the focus. */
  active: number
  onVisible?: ((first: number, last: number) => void) | undefined
}

/** Number of rows rendered beyond the visible ones. */
const BEYOND = 8

/** Returns the indexes of the rendered rows: the visible ones, some around them, and the active one. */
export function useWindow({ frame, count, rowHeight, active, onVisible }: Options): readonly number[] {
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: BEYOND,
    // scrolling is smooth without it, and React warns of `flushSync` within effects
    useFlushSync: false,
    rangeExtractor: useCallback(
      (range: Range) => {
        const indexes = defaultRangeExtractor(range)
        return active >= count || indexes.includes(active) ? indexes : [...indexes, active].sort((a, b) => a - b)
      },
      [active, count],
    ),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the virtualizer never changes
  useEffect(() => virtual.measure(), [rowHeight])
  const range = virtual.range
  const [first, last] = [range?.startIndex ?? 0, range?.endIndex ?? -1]
  useEffect(() => {
    if (last >= first) onVisible?.(first, last)
  }, [first, last, onVisible])
  return virtual.getVirtualItems().map(({ index }) => index)
}
