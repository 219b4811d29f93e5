import { processingTypeValues } from '~/api/schema'
import { crud } from '~/kit/records/crud'

export const processings = crud('/api/admin/processings', {
  filters: {
    name: { kind: 'text' },
    display_name: { kind: 'text', optional: true },
    type: { kind: 'enum', values: processingTypeValues },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'display_name', 'updated_at'],
  defaultSort: 'name',
  search: 'name',
})
