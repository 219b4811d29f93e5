import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect } from 'react'

interface Options {
  frame: RefObject<HTMLDivElement | null>
  count: number
  rowHeight: number
  /** Is drawn wherever the others are: it has the focus. */
  active: number
  onVisible?: ((first: number, last: number) => void) | undefined
}

/** Rows that are drawn beyond what is seen. */
const BEYOND = 8

/** Which rows are drawn: those that are seen, some around them, and the active one. */
export function useWindow({ frame, count, rowHeight, active, onVisible }: Options): readonly number[] {
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: BEYOND,
    // scrolling is smooth enough without, and React warns of it within effects
    useFlushSync: false,
    rangeExtractor: useCallback(
      (range: Range) => {
        const drawn = defaultRangeExtractor(range)
        return active >= count || drawn.includes(active) ? drawn : [...drawn, active].sort((a, b) => a - b)
      },
      [active, count],
    ),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the virtualizer is always the same
  useEffect(() => virtual.measure(), [rowHeight])
  const seen = virtual.range
  const [first, last] = [seen?.startIndex ?? 0, seen?.endIndex ?? -1]
  useEffect(() => {
    if (last >= first) onVisible?.(first, last)
  }, [first, last, onVisible])
  return virtual.getVirtualItems().map(({ index }) => index)
}
