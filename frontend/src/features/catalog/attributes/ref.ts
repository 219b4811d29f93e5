import { reference } from '~/kit/records/reference'
import { attribute } from './resource'

export const attributeRef = reference('/api/admin/attributes', { label: attribute.title, search: 'name' })
