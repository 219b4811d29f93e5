import { crud } from '~/kit/records/crud'

export const tradeDimensions = crud('/api/admin/trade-dimensions', {
  filters: { name: { kind: 'text' }, updated_at: { kind: 'date' } },
  sorts: ['name', 'updated_at'],
  defaultSort: 'name',
  search: 'name',
  // checked against the articles of its types
  patient: true,
})
