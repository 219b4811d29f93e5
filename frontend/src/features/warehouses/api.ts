import { regionValues } from '~/api/schema'
import { crud } from '~/kit/resource/crud'

export const warehouses = crud('/api/admin/warehouses', {
  filters: {
    search: { kind: 'search' },
    name: { kind: 'text' },
    short_code: { kind: 'text' },
    region: { kind: 'enum', values: regionValues },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'short_code', 'updated_at'],
  defaultSort: 'name',
  search: 'search',
})
