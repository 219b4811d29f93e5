import { crud } from '~/kit/records/crud'

export const tradeDimensions = crud('/api/admin/trade-dimensions', {
  filters: { name: { kind: 'text' }, updated_at: { kind: 'date' } },
  sorts: ['name', 'updated_at'],
  defaultSort: 'name',
  search: 'name',
  // the server checks it against the articles of the types that use it
  longTimeout: true,
})
