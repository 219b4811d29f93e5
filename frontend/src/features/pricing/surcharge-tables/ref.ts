import { reference } from '~/kit/records/reference'
import { surchargeTable } from './resource'

export const surchargeTableRef = reference('/api/admin/surcharge-tables', { label: surchargeTable.title, search: 'name', sort: 'name' })
