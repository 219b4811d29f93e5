import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useReorder } from './use-reorder'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const ITEMS = [{ id: 1 }, { id: 2 }, { id: 3 }]

function reorder(save = vi.fn(async (_ids: number[], _previousIds: number[]) => {})) {
  const callbacks = { onError: vi.fn(), onSavedLate: vi.fn() }
  const hook = renderHook(() => useReorder({ items: ITEMS, id: (item) => item.id, save, ...callbacks }))
  const now = () => ({ ids: hook.result.current.ordered.map((item) => item.id), phase: hook.result.current.phase })
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  return {
    ...hook,
    ...callbacks,
    save,
    now,
    pass,
    perform: (run: (list: typeof hook.result.current) => void) => act(() => run(hook.result.current)),
  }
}

it('saves one second after the last move', async () => {
  const { save, now, pass, perform } = reorder()
  perform((list) => list.move(0, 2))
  await pass(999)
  perform((list) => list.move(2, 1))
  await pass(999)
  expect(save).not.toHaveBeenCalled()
  expect(now()).toEqual({ ids: [2, 1, 3], phase: 'waiting' })
  await pass(1)
  expect(save.mock.calls).toEqual([
    [
      [2, 1, 3],
      [1, 2, 3],
    ],
  ])
  expect(now().phase).toBe('saved')
})

it('can be cancelled within that second', async () => {
  const { save, now, pass, perform } = reorder()
  perform((list) => list.move(0, 2))
  await pass(500)
  perform((list) => list.cancel())
  await pass(5000)
  expect(save).not.toHaveBeenCalled()
  expect(now()).toEqual({ ids: [1, 2, 3], phase: 'clean' })
})

it('waits while it is held, and exposes the new and the replaced order', async () => {
  const { save, now, pass, perform, result } = reorder()
  perform((list) => list.move(0, 2))
  expect(result.current.pendingOrder).toEqual({ ids: [2, 3, 1], previousIds: [1, 2, 3] })
  await pass(500)
  perform((list) => list.stopTimer())
  await pass(60_000)
  expect(save).not.toHaveBeenCalled()
  expect(now()).toEqual({ ids: [2, 3, 1], phase: 'paused' })
  perform((list) => void list.save())
  await pass(0)
  expect(save.mock.calls).toEqual([
    [
      [2, 3, 1],
      [1, 2, 3],
    ],
  ])
  expect(now().phase).toBe('saved')
  perform((list) => list.move(0, 1))
  perform((list) => list.stopTimer())
  perform((list) => list.cancel())
  await pass(5000)
  expect(save).toHaveBeenCalledOnce()
  expect(now()).toEqual({ ids: [2, 3, 1], phase: 'clean' })
  expect(result.current.pendingOrder).toBeNull()
})

it('can be undone after the save', async () => {
  const { save, now, pass, perform } = reorder()
  perform((list) => list.move(0, 1))
  await pass(1000)
  perform((list) => list.undo())
  await pass(0)
  expect(save.mock.calls).toEqual([
    [
      [2, 1, 3],
      [1, 2, 3],
    ],
    [
      [1, 2, 3],
      [2, 1, 3],
    ],
  ])
  expect(now().ids).toEqual([1, 2, 3])
})

it('restores the earlier order when the save fails', async () => {
  const { now, pass, perform, onError } = reorder(vi.fn(() => Promise.reject(new Error('no'))))
  perform((list) => list.move(0, 2))
  await pass(1000)
  expect(onError).toHaveBeenCalledOnce()
  expect(now()).toEqual({ ids: [1, 2, 3], phase: 'clean' })
})

it('keeps a newer order on screen when an earlier save is refused', async () => {
  let refuse = (_reason: Error) => {}
  const refused = new Promise<void>((_, reject) => {
    refuse = reject
  })
  const { save, now, pass, perform } = reorder(
    vi.fn((_ids: number[], _previousIds: number[]) => Promise.resolve()).mockReturnValueOnce(refused),
  )
  perform((list) => list.move(0, 1))
  await pass(1000)
  perform((list) => list.move(2, 0))
  refuse(new Error('no'))
  await pass(1000)
  expect(save.mock.calls).toEqual([
    [
      [2, 1, 3],
      [1, 2, 3],
    ],
    [
      [3, 2, 1],
      [1, 2, 3],
    ],
  ])
  expect(now()).toEqual({ ids: [3, 2, 1], phase: 'saved' })
})

it('is saved when the page is left earlier, and offers an undo', async () => {
  const { save, pass, perform, unmount, onSavedLate } = reorder()
  perform((list) => list.move(0, 1))
  unmount()
  await pass(0)
  expect(save.mock.calls).toEqual([
    [
      [2, 1, 3],
      [1, 2, 3],
    ],
  ])
  await onSavedLate.mock.calls[0]?.[0]()
  expect(save.mock.calls.at(-1)).toEqual([
    [1, 2, 3],
    [2, 1, 3],
  ])
})
