import { reference } from '~/kit/records/reference'
import { warehouse } from './resource'

export const warehouseRef = reference('/api/admin/warehouses', { label: warehouse.title, search: 'search', sort: 'short_code' })
