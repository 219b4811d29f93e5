import { reference } from '~/kit/records/reference'
import { tradeDimension } from './resource'

export const tradeDimensionRef = reference('/api/admin/trade-dimensions', { label: tradeDimension.title, search: 'name', sort: 'name' })
