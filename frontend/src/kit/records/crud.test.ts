import { expect, it } from 'vitest'
import { change } from '~/api/change'
import { ApiError } from '~/api/errors'
import { queryClient } from '~/api/query'
import { requests } from '~/test/server'
import { crud } from './crud'

const rest = { filters: {}, sorts: [], defaultSort: null, search: null }
const materials = crud('/api/admin/materials', { ...rest, bulk: () => Promise.reject(new Error('not asked for')) })
const articles = crud('/api/admin/articles', { ...rest, bulk: () => Promise.reject(new Error('not asked for')) })
const tokens = crud('/api/admin/tokens', rest)
const audit = crud('/api/admin/audit', rest)

it('has exactly the operations of the contract', () => {
  const optional = ['usage', 'export', 'bulk', 'effect', 'preview', 'order']
  const offered = (api: object) => optional.filter((part) => part in api)
  expect(offered(materials)).toEqual(['usage', 'export', 'bulk', 'effect'])
  expect(offered(articles)).toEqual(['usage', 'export', 'bulk', 'preview'])
  expect(offered(tokens)).toEqual([])
  expect(offered(audit)).toEqual(['export'])
})

it('sends the retyped text only if the contract requires it', async () => {
  await articles.remove(999_999, 'HEB-200').catch(() => {})
  await materials.remove(999_999, 'S235JR').catch(() => {})
  const sent = requests.filter((request) => request.startsWith('DELETE'))
  expect(sent).toEqual(['DELETE /api/admin/articles/999999?confirm=HEB-200', 'DELETE /api/admin/materials/999999'])
})

/** Returns the kinds of queries that a change invalidates. */
async function stale(call: Promise<unknown>): Promise<string[]> {
  const keys = ['get', 'post', 'bell'].map((kind) => [kind, '/api/admin/materials'])
  for (const queryKey of keys) queryClient.setQueryData(queryKey, [])
  queryClient.setQueryDefaults(['fixed'], { meta: { fixed: true } })
  queryClient.setQueryData(['fixed'], [])
  await change(call).catch(() => {})
  const queries = queryClient.getQueryCache().findAll()
  return queries.filter(({ state }) => state.isInvalidated).map(({ queryKey }) => String(queryKey[0]))
}

it('invalidates all queries after a change, except previews of input and fixed data', async () => {
  expect(await stale(Promise.resolve())).toEqual(['get', 'bell'])
})

it('also invalidates after errors that others may have caused, but not after validation errors', async () => {
  expect(await stale(Promise.reject(new ApiError({ status: 409 })))).toEqual(['get', 'bell'])
  queryClient.clear()
  expect(await stale(Promise.reject(new ApiError({ kind: 'timeout' })))).toEqual(['get', 'bell'])
  queryClient.clear()
  expect(await stale(Promise.reject(new ApiError({ status: 422 })))).toEqual([])
})
