import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

const DELAY = 1000

interface Options<T> {
  /** In the order of the server; whoever follows it gives others when it has changed. */
  items: readonly T[]
  id: (item: T) => number
  /** `seen` is the order that was changed. */
  save: (ids: number[], seen: number[]) => Promise<unknown>
  onError: (error: unknown) => void
  /** Saved after the last look at it: somebody else has to offer the way back. */
  onSavedLate: (undo: () => Promise<unknown>) => void
  /** Whether an order is refused because it is another one by now. */
  isConflict?: (error: unknown) => boolean
}

/** `held`: it waits for a word; `conflict`: somebody else has made another order meanwhile, and one of the two is to be chosen. */
export type ReorderPhase = 'clean' | 'waiting' | 'held' | 'saving' | 'saved' | 'conflict'

/** An order that was made here, of another one. */
export interface Arranged {
  ids: number[]
  seen: number[]
}

/** An order with all ids of another one: what is gone is left out, what is new stands behind the one that it follows there. */
export function mergedOrder(mine: readonly number[], theirs: readonly number[]): number[] {
  const merged = mine.filter((id) => theirs.includes(id))
  theirs.forEach((id, at) => {
    if (merged.includes(id)) return
    const before = theirs[at - 1]
    merged.splice(before === undefined ? 0 : merged.indexOf(before) + 1, 0, id)
  })
  return merged
}

/** An order that saves itself one second after the last change; until then it can be taken back. */
export function useReorder<T>({ items, id, save, onError, onSavedLate, isConflict = () => false }: Options<T>) {
  const [order, setOrder] = useState<number[]>(() => items.map(id))
  const [phase, setPhase] = useState<ReorderPhase>('clean')
  const [arranged, setArranged] = useState<Arranged | null>(null)
  const saved = useRef(order)
  const pending = useRef<number[] | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const previous = useRef<number[] | null>(null)
  const mounted = useRef(true)
  /** What the screen shows, for whoever moves before it is drawn. */
  const shown = useRef(order)
  const theirs = items.map(id)
  const latest = useRef({ save, onError, onSavedLate, isConflict, theirs })
  useLayoutEffect(() => {
    latest.current = { save, onError, onSavedLate, isConflict, theirs }
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
      await latest.current.save(next, before)
      saved.current = next
      previous.current = before
      setPhase(pending.current ? 'waiting' : 'saved')
      if (!mounted.current) latest.current.onSavedLate(() => latest.current.save(before, next))
    } catch (error) {
      if (mounted.current && latest.current.isConflict(error)) {
        clearTimeout(timer.current)
        pending.current = null
        return setPhase('conflict')
      }
      // what waits is what the screen shows
      if (!pending.current) {
        show(before)
        setArranged(null)
      }
      setPhase(pending.current ? 'waiting' : 'clean')
      latest.current.onError(error)
    }
  }, [show])

  /** Shows another order, which is saved when nothing else has been changed for a second. */
  const wait = useCallback(
    (next: number[]) => {
      pending.current = next
      show(next)
      setArranged({ ids: next, seen: saved.current })
      setPhase('waiting')
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void flush(), DELAY)
    },
    [flush, show],
  )

  const move = useCallback(
    (from: number, to: number) => {
      const now = mergedOrder(shown.current, latest.current.theirs)
      const moved = now[from]
      if (moved === undefined || from === to || to < 0 || to >= now.length) return
      const next = now.filter((_, at) => at !== from)
      next.splice(to, 0, moved)
      wait(next)
    },
    [wait],
  )

  /** Waits until it is saved or cancelled. */
  const hold = useCallback(() => {
    if (!pending.current) return
    clearTimeout(timer.current)
    setPhase('held')
  }, [])

  const cancel = useCallback(() => {
    clearTimeout(timer.current)
    pending.current = null
    setArranged(null)
    show(saved.current)
    setPhase('clean')
  }, [show])

  /** Saves the order before the last one again. */
  const undo = useCallback(() => {
    const before = previous.current
    if (!before) return
    previous.current = null
    pending.current = before
    setArranged(null)
    show(before)
    void flush()
  }, [flush, show])

  const key = theirs.join()
  const followed = useRef(key)
  /** Whatever nobody is changing here is as the server has it. */
  const follow = useEffectEvent(() => {
    if ((phase !== 'clean' && phase !== 'saved') || followed.current === key) return
    followed.current = key
    if (saved.current.join() === key) return
    saved.current = theirs
    previous.current = null
    setArranged(null)
    show(theirs)
    setPhase('clean')
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: when there is another order, or nobody is changing it any more
  useEffect(follow, [key, phase])

  /** Of two orders takes the one that somebody else has made. */
  function takeTheirs() {
    setArranged(null)
    saved.current = theirs
    show(theirs)
    setPhase('clean')
  }

  /** Saves one's own instead, with what has come to it meanwhile. */
  function takeMine() {
    setArranged(null)
    saved.current = theirs
    pending.current = mergedOrder(shown.current, theirs)
    show(pending.current)
    void flush()
  }

  // leaving before the second is over still saves
  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
      void flush()
    }
  }, [flush])

  const byId = new Map(items.map((item) => [id(item), item]))
  const ordered = mergedOrder(order, theirs).flatMap((one) => byId.get(one) ?? [])
  return { ordered, phase, arranged, move, hold, save: flush, cancel, undo, takeTheirs, takeMine, delay: DELAY }
}

export type Reordering<T> = ReturnType<typeof useReorder<T>>
