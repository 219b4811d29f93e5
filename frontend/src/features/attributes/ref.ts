import { reference } from '~/kit/resource/reference'
import { attribute } from './resource'

export const attributeRef = reference('/api/admin/attributes', { label: attribute.title, search: 'name' })
