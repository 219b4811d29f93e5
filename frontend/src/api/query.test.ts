import { afterEach, expect, it, vi } from 'vitest'
import { context } from './context'
import { createAppQueryClient } from './query'

afterEach(() => vi.restoreAllMocks())

it('keeps what was answered for one tenant from another one', () => {
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
