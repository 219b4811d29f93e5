import { crud } from '~/kit/records/crud'

export const materials = crud('/api/admin/materials', {
  filters: {
    search: { kind: 'search' },
    name: { kind: 'text' },
    display_name: { kind: 'text', optional: true },
    article_number_name: { kind: 'text', optional: true },
    material_number: { kind: 'text', optional: true },
    density: { kind: 'decimal', unit: 'kg/dm³', optional: true },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'display_name', 'article_number_name', 'material_number', 'density', 'updated_at'],
  defaultSort: 'name',
  search: 'search',
  // articles change with it
  longTimeout: true,
  bulk: () => import('./bulk'),
})
