import { afterEach, expect, it, vi } from 'vitest'
import { context } from './context'
import { ApiError } from './errors'
import { createAppQueryClient, retry } from './query'

afterEach(() => vi.restoreAllMocks())

it('caches answers separately for each tenant', () => {
  const client = createAppQueryClient()
  const [record, config] = [
    ['get', '/api/admin/warehouses/{id}', { params: { path: { id: 1 } } }],
    ['get', '/api/config'],
  ]
  const tenant = vi.spyOn(context, 'tenant').mockReturnValue(1)
  client.setQueryData(record, 'of the first')
  client.setQueryData(config, 'of all')
  tenant.mockReturnValue(2)
  expect([client.getQueryData(record), client.getQueryData(config)]).toEqual([undefined, 'of all'])
  tenant.mockReturnValue(1)
  expect(client.getQueryData(record)).toBe('of the first')
})

it('retries three times, but not after a timeout or a client error', () => {
  const tries = (error: ApiError) => [0, 1, 2, 3].filter((failures) => retry(failures, error))
  expect(tries(new ApiError({ kind: 'network' }))).toEqual([0, 1, 2])
  expect(tries(new ApiError({ status: 503 }))).toEqual([0, 1, 2])
  expect(tries(new ApiError({ kind: 'timeout' }))).toEqual([])
  expect(tries(new ApiError({ status: 404 }))).toEqual([])
})
