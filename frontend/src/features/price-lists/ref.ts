import { reference } from '~/kit/resource/reference'
import { priceList } from './resource'

export const priceListRef = reference('/api/admin/price-lists', { label: priceList.title, search: 'name', sort: 'name' })
