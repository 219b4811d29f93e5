import { reference } from '~/kit/records/reference'
import { material } from './resource'

export const materialRef = reference('/api/admin/materials', { label: material.title, search: 'search', sort: 'name' })
