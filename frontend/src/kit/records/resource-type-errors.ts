import { crud } from './crud'
import { reference } from './reference'

const rest = { filters: {}, sorts: [], defaultSort: null, search: null }

/** Compiled by `npm run check`, never called: resources that contradict the contract must not compile. */
export const resourceTypeErrors = [
  // @ts-expect-error no such list
  () => crud('/api/admin/material', rest),
  // @ts-expect-error materials have a bulk change: its fields are missing
  () => crud('/api/admin/materials', rest),
  // @ts-expect-error processings have no bulk change
  () => crud('/api/admin/processings', { ...rest, bulk: () => Promise.reject(new Error('none')) }),
  // @ts-expect-error no such filter
  () => crud('/api/admin/processings', { ...rest, filters: { nam: { kind: 'text' } } }),
  // @ts-expect-error no such sort
  () => crud('/api/admin/processings', { ...rest, defaultSort: 'nam' }),
  // @ts-expect-error processings have no usage
  () => crud('/api/admin/processings', rest).usage,
  // @ts-expect-error the history is read only
  () => crud('/api/admin/audit', rest).create,
  // @ts-expect-error a field is missing
  () => crud('/api/admin/processings', rest).create({ name: 'Sawing' }),
  // @ts-expect-error no such field
  () => reference('/api/admin/materials', { label: (row) => row.nam, search: 'name' }),
  // @ts-expect-error no such filter
  () => reference('/api/admin/materials', { label: (row) => row.name, search: 'nam' }),
]
