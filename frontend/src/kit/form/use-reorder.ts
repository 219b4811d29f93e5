import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

const DELAY = 1000

interface Options<T> {
  /** Items in the order of the server; the caller passes new ones when it changes. */
  items: readonly T[]
  id: (item: T) => number
  /** Saves an order; `previousIds` is the order before the change. */
  save: (ids: number[], previousIds: number[]) => Promise<unknown>
  onError: (error: unknown) => void
  /** Called if the save ends after the component is unmounted; the caller then has to offer the undo. */
  onSavedLate: (undo: () => Promise<unknown>) => void
  /** True if an error says that the order has been changed by others meanwhile. */
  isConflict?: (error: unknown) => boolean
}

/**
 * Phase of an order. `paused`: saving waits for a confirmation; `conflict`: another person has changed the
 * order meanwhile, and one of the two is to be chosen.
 */
export type ReorderPhase = 'clean' | 'waiting' | 'paused' | 'saving' | 'saved' | 'conflict'

/** Order that was made here, with the order that it replaces. */
export interface PendingOrder {
  ids: number[]
  previousIds: number[]
}

/**
 * Adapts `mine` to the ids of `theirs`: removed ids are left out, new ones follow the id that they follow
 * there.
 */
export function mergedOrder(mine: readonly number[], theirs: readonly number[]): number[] {
  const merged = mine.filter((id) => theirs.includes(id))
  theirs.forEach((id, at) => {
    if (merged.includes(id)) return
    const before = theirs[at - 1]
    merged.splice(before === undefined ? 0 : merged.indexOf(before) + 1, 0, id)
  })
  return merged
}

/** Order that saves itself one second after the last change; until then it can be cancelled. */
export function useReorder<T>({ items, id, save, onError, onSavedLate, isConflict = () => false }: Options<T>) {
  const [order, setOrder] = useState<number[]>(() => items.map(id))
  const [phase, setPhase] = useState<ReorderPhase>('clean')
  const [pendingOrder, setPendingOrder] = useState<PendingOrder | null>(null)
  const saved = useRef(order)
  const pending = useRef<number[] | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const previous = useRef<number[] | null>(null)
  const mounted = useRef(true)
  /** Current order, also for moves that come before the next render. */
  const currentOrder = useRef(order)
  const theirs = items.map(id)
  const latest = useRef({ save, onError, onSavedLate, isConflict, theirs })
  useLayoutEffect(() => {
    latest.current = { save, onError, onSavedLate, isConflict, theirs }
  })
  const show = useCallback((ids: number[]) => {
    currentOrder.current = ids
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
      // a newer order that waits for its save stays on the screen
      if (!pending.current) {
        show(before)
        setPendingOrder(null)
      }
      setPhase(pending.current ? 'waiting' : 'clean')
      latest.current.onError(error)
    }
  }, [show])

  /** Shows a new order and saves it after one second without another change. */
  const scheduleSave = useCallback(
    (next: number[]) => {
      pending.current = next
      show(next)
      setPendingOrder({ ids: next, previousIds: saved.current })
      setPhase('waiting')
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void flush(), DELAY)
    },
    [flush, show],
  )

  const move = useCallback(
    (from: number, to: number) => {
      const now = mergedOrder(currentOrder.current, latest.current.theirs)
      const movedId = now[from]
      if (movedId === undefined || from === to || to < 0 || to >= now.length) return
      const next = now.filter((_, at) => at !== from)
      next.splice(to, 0, movedId)
      scheduleSave(next)
    },
    [scheduleSave],
  )

  /** Stops the timer until the order is saved or cancelled. */
  const stopTimer = useCallback(() => {
    if (!pending.current) return
    clearTimeout(timer.current)
    setPhase('paused')
  }, [])

  const cancel = useCallback(() => {
    clearTimeout(timer.current)
    pending.current = null
    setPendingOrder(null)
    show(saved.current)
    setPhase('clean')
  }, [show])

  /** Saves the previous order again. */
  const undo = useCallback(() => {
    const before = previous.current
    if (!before) return
    previous.current = null
    pending.current = before
    setPendingOrder(null)
    show(before)
    void flush()
  }, [flush, show])

  const key = theirs.join()
  const followedKey = useRef(key)
  /** Follows the server's order while nothing is being changed here. */
  const follow = useEffectEvent(() => {
    if ((phase !== 'clean' && phase !== 'saved') || followedKey.current === key) return
    followedKey.current = key
    if (saved.current.join() === key) return
    saved.current = theirs
    previous.current = null
    setPendingOrder(null)
    show(theirs)
    setPhase('clean')
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when order or phase changes
  useEffect(follow, [key, phase])

  /** Resolves a conflict with the other person's order. */
  function takeTheirs() {
    setPendingOrder(null)
    saved.current = theirs
    show(theirs)
    setPhase('clean')
  }

  /** Resolves a conflict by saving our own order, with the items added meanwhile. */
  function takeMine() {
    setPendingOrder(null)
    saved.current = theirs
    pending.current = mergedOrder(currentOrder.current, theirs)
    show(pending.current)
    void flush()
  }

  // unmounting before the second is over still saves
  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
      void flush()
    }
  }, [flush])

  const byId = new Map(items.map((item) => [id(item), item]))
  const ordered = mergedOrder(order, theirs).flatMap((itemId) => byId.get(itemId) ?? [])
  return { ordered, phase, pendingOrder, move, stopTimer, save: flush, cancel, undo, takeTheirs, takeMine, delay: DELAY }
}

export type Reordering<T> = ReturnType<typeof useReorder<T>>
