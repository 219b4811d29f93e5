import { reference } from '~/kit/records/reference'
import { stock } from './resource'

/** Stocks, found as their articles are. */
export const stockRef = reference('/api/admin/stocks', { label: stock.title, search: 'search' })
