import { crud } from '~/kit/records/crud'

export const materials = crud('/api/admin/materials', {
  filters: {
    search: { kind: 'search' },
    name: { kind: 'text' },
    display_name: { kind: 'text' },
    article_number_name: { kind: 'text' },
    material_number: { kind: 'text' },
    density: { kind: 'decimal', unit: 'kg/dm³' },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'display_name', 'article_number_name', 'material_number', 'density', 'updated_at'],
  defaultSort: 'name',
  search: 'search',
  // articles change with it
  patient: true,
  bulk: () => import('./bulk'),
})
