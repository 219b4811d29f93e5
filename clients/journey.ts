/**
 * Typical calls of a connector, with openapi-fetch and the types that openapi-typescript has generated from
 * the contract.
 */
import { strict as assert } from 'node:assert'
import createClient from 'openapi-fetch'
import type { components, paths } from './contract.js'

const NUMBER = 'HEB-200-S235JR-12.1'
const { STALHOF_URL: baseUrl = '', STALHOF_TOKEN = '' } = process.env

/** Serialises filters beside the other parameters, and several values one after the other: `style: form`. */
function querySerializer({ filter, ...query }: Record<string, unknown>): string {
  const all = Object.entries({ ...query, ...(filter as Record<string, unknown> | undefined) })
  const pairs = all.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]))
  return new URLSearchParams(pairs).toString()
}

const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${STALHOF_TOKEN}` }, querySerializer })

/** Returns the answer, or throws an error with the code of the problem. */
async function data<T>(call: Promise<{ data?: T; error?: components['schemas']['Problem'] }>): Promise<T> {
  const { data, error } = await call
  if (error) throw new Error(`${error.code}: ${error.message} ${JSON.stringify(error.error_codes)}`)
  return data as T
}

// lists: pages, filters and searches
const first = await data(client.GET('/api/admin/articles', { params: { query: { 'page[size]': 2 } } }))
assert(first.data.length === 2 && first.meta.total > 100)
const heavy = { 'filter[name]': ['S235', 'S355'], 'filter[density_greater_equals]': '7.8' }
const found = await data(client.GET('/api/admin/materials', { params: { query: { filter: heavy, 'page[size]': 200 } } }))
assert(found.meta.total > 1 && found.data.every(({ name }) => /S235|S355/.test(name)))
const search = await data(client.GET('/api/admin/articles', { params: { query: { filter: { 'filter[search]': 'heb 200 s235' } } } }))
assert.match(search.data[0]?.article_number ?? '', /^HEB-200-S235JR/)

// read by number, and written back unchanged
const path = { number: NUMBER }
const article = await data(client.GET('/api/admin/articles/by-number/{number}', { params: { path } }))
const written = await data(
  client.PUT('/api/admin/articles/by-number/{number}', { params: { path }, body: { ...article, article_type_id: article.article_type.id } }),
)
assert.deepEqual(written.values, article.values)
const nothing = await client.GET('/api/admin/articles/by-number/{number}', { params: { path: { number: 'HEB-0' } } })
assert.equal(nothing.error?.code, 'not_found')

// create, change, refusal
const created = await data(client.POST('/api/admin/materials', { body: { name: 'S235JRC+SH', density: '7.85' } }))
const named = { path: { name: 's235jrc+sh' } }
const read = await data(client.GET('/api/admin/materials/by-name/{name}', { params: named }))
assert.equal(read.id, created.id)
const body = { ...read, display_name: 'Blankstahl' }
const changed = await data(client.PUT('/api/admin/materials/by-name/{name}', { params: named, body }))
assert.equal(changed.display_name, 'Blankstahl')
const stale = await client.PUT('/api/admin/materials/by-name/{name}', { params: named, body })
assert.equal(stale.error?.code, 'stale')
const patched = await data(
  client.PATCH('/api/admin/materials/by-name/{name}', { params: named, body: { material_number: '1.0122' } }),
)
assert.deepEqual([patched.material_number, patched.display_name], ['1.0122', 'Blankstahl'])
const taken = await client.POST('/api/admin/materials', { body: { name: 's235jrc+sh' } })
assert.deepEqual(taken.error?.error_codes, { name: ['taken'] })
const table = await data(client.GET('/api/admin/materials/export', { params: { query: { format: 'csv' } }, parseAs: 'text' }))
assert(String(table).includes('S235JRC+SH'))

// import: upload, waiting, refused rows
const tenants = await data(client.GET('/api/admin/tenants'))
const query = { tenant_id: tenants.data[0]?.id as number }
const file = new File([`Artikelnummer;Werkstoff\r\n${NUMBER};S235JR\r\nGIBT-ES-NICHT;S235JR\r\n`], 'liste.csv')
const form = { type: 'Article', name: 'TypeScript', dry_run: true } as const
let imported = await data(
  client.POST('/api/admin/imports', {
    params: { query },
    body: { ...form, file: '' },
    bodySerializer: () => {
      const parts = new FormData()
      for (const [name, value] of Object.entries(form)) parts.append(name, String(value))
      parts.append('file', file)
      return parts
    },
  }),
)
const own = { params: { path: { id: imported.id }, query } }
for (let tries = 0; tries < 300 && ['Queued', 'InProgress'].includes(imported.status); tries += 1) {
  await new Promise((resolve) => setTimeout(resolve, 200))
  imported = await data(client.GET('/api/admin/imports/{id}', own))
}
assert.deepEqual([imported.status, imported.rows_refused], ['PartialSuccess', 1])
const refused = await data(client.GET('/api/admin/imports/{id}/errors', own))
const code: components['schemas']['Code'] | undefined = refused.data[0]?.errors[0]?.code
assert(refused.data[0]?.line === 3 && code)

const stranger = await client.GET('/api/admin/articles', { headers: { Authorization: 'Bearer pat_unknown' } })
assert.equal(stranger.error?.code, 'unauthenticated')
console.log('The TypeScript client does all of it.')
