import { reference } from '~/kit/records/reference'
import { stock } from './resource'

/** Stocks, searched by their articles. */
export const stockRef = reference('/api/admin/stocks', { label: stock.title, search: 'search' })
