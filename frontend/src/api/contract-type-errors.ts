import { client } from './client'

/** Compiled by `npm run check`, never called: calls that contradict the contract must not compile. */
export const contractTypeErrors = [
  // @ts-expect-error no such method there
  () => client.PUT('/api/admin/materials', { body: { name: 'S235JR' } }),
  // @ts-expect-error no such path
  () => client.GET('/api/admin/material'),
  // @ts-expect-error no such filter
  () => client.GET('/api/admin/materials', { params: { query: { filter: { 'filter[nam]': 'S235' } } } }),
  // @ts-expect-error another kind of value
  () => client.GET('/api/admin/articles', { params: { query: { filter: { 'filter[material_id]': 'S235' } } } }),
  // @ts-expect-error no such sort
  () => client.GET('/api/admin/materials', { params: { query: { sort: 'nam' } } }),
  // @ts-expect-error its id is missing
  () => client.GET('/api/admin/materials/{id}', {}),
]
