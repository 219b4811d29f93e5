import { reference } from '~/kit/records/reference'
import { priceList } from './resource'

export const priceListRef = reference('/api/admin/price-lists', { label: priceList.title, search: 'name', sort: 'name' })
