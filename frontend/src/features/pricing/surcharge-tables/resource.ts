import { CalendarRange } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    surchargeTables: typeof import('~/i18n/de/surchargeTables.json')
  }
}

export const surchargeTable = resource('/api/admin/surcharge-tables', {
  ns: 'surchargeTables',
  path: '/surcharge-tables',
  group: 'prices',
  owner: 'tenants',
  tenant: 'required',
  rights: 'price_adjustment',
  record: 'surcharge_table',
  icon: CalendarRange,
  help: 'surcharges',
  title: (row) => row.name,
  flag: 'price_adjustments',
})
