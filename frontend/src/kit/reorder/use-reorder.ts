import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

const DELAY = 1000

interface Options<T> {
  items: readonly T[]
  id: (item: T) => number
  save: (ids: number[]) => Promise<unknown>
  onError: (error: unknown) => void
  /** Saved after the last look at it: somebody else has to offer the way back. */
  onSavedLate: (undo: () => Promise<unknown>) => void
}

export type ReorderPhase = 'clean' | 'waiting' | 'saving' | 'saved'

/** An order that saves itself one second after the last change; until then it can be taken back. */
export function useReorder<T>({ items, id, save, onError, onSavedLate }: Options<T>) {
  const [order, setOrder] = useState<number[]>(() => items.map(id))
  const [phase, setPhase] = useState<ReorderPhase>('clean')
  const saved = useRef(order)
  const pending = useRef<number[] | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const previous = useRef<number[] | null>(null)
  const mounted = useRef(true)
  /** What the screen shows, for whoever moves before it is drawn. */
  const shown = useRef(order)
  const latest = useRef({ save, onError, onSavedLate })
  useLayoutEffect(() => {
    latest.current = { save, onError, onSavedLate }
  })
  const show = useCallback((ids: number[]) => {
    shown.current = ids
    setOrder(ids)
  }, [])

  const flush = useCallback(async () => {
    clearTimeout(timer.current)
    const next = pending.current
    if (!next) return
    pending.current = null
    const before = saved.current
    setPhase('saving')
    try {
      await latest.current.save(next)
      saved.current = next
      previous.current = before
      setPhase(pending.current ? 'waiting' : 'saved')
      if (!mounted.current) latest.current.onSavedLate(() => latest.current.save(before))
    } catch (error) {
      // what waits is what the screen shows
      if (!pending.current) show(before)
      setPhase(pending.current ? 'waiting' : 'clean')
      latest.current.onError(error)
    }
  }, [show])

  const move = useCallback(
    (from: number, to: number) => {
      const moved = shown.current[from]
      if (moved === undefined || from === to || to < 0 || to >= shown.current.length) return
      const next = shown.current.filter((_, at) => at !== from)
      next.splice(to, 0, moved)
      pending.current = next
      show(next)
      setPhase('waiting')
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void flush(), DELAY)
    },
    [flush, show],
  )

  const cancel = useCallback(() => {
    clearTimeout(timer.current)
    pending.current = null
    show(saved.current)
    setPhase('clean')
  }, [show])

  /** Saves the order before the last one again. */
  const undo = useCallback(() => {
    const before = previous.current
    if (!before) return
    previous.current = null
    pending.current = before
    show(before)
    void flush()
  }, [flush, show])

  // leaving before the second is over still saves
  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
      void flush()
    }
  }, [flush])

  const byId = new Map(items.map((item) => [id(item), item]))
  const ordered = order.flatMap((one) => byId.get(one) ?? [])
  return { ordered, phase, move, cancel, undo, delay: DELAY }
}
