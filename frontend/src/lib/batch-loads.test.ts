import { describe, expect, it } from 'vitest'
import { batchLoads } from './batch-loads'

function recorded(most: number) {
  const calls: number[][] = []
  const load = batchLoads(most, (keys: number[]) => {
    calls.push(keys)
    if (keys.includes(13)) return Promise.reject(new Error('unlucky'))
    return Promise.resolve(new Map(keys.filter((key) => key < 100).map((key) => [key, key * 2])))
  })
  return { calls, load }
}

describe('batchLoads', () => {
  it('loads simultaneous keys in one call, and gives each caller its value', async () => {
    const { calls, load } = recorded(10)
    expect(await Promise.all([load(1), load(2), load(1), load(100)])).toEqual([2, 4, 2, null])
    expect(calls).toEqual([[1, 2, 100]])
    await load(3)
    expect(calls).toEqual([[1, 2, 100], [3]])
  })

  it('limits the size of a batch', async () => {
    const { calls, load } = recorded(2)
    expect(await Promise.all([1, 2, 2, 3, 4, 5].map(load))).toEqual([2, 4, 4, 6, 8, 10])
    expect(calls).toEqual([[1, 2], [3, 4], [5]])
  })

  it('rejects for all waiting callers on failure, and loads again afterwards', async () => {
    const { load } = recorded(10)
    const answers = await Promise.allSettled([load(13), load(1)])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await load(1)).toBe(2)
  })
})
