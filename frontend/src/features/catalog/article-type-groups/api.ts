import { crud } from '~/kit/records/crud'

export const articleTypeGroups = crud('/api/admin/article-type-groups', {
  filters: {
    name: { kind: 'text' },
    description: { kind: 'text', optional: true },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'description', 'updated_at'],
  defaultSort: 'name',
  search: 'name',
})
