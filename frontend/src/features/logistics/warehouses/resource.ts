import { Warehouse } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    warehouses: typeof import('~/i18n/de/warehouses.json')
  }
}

export const warehouse = resource('/api/admin/warehouses', {
  ns: 'warehouses',
  path: '/warehouses',
  group: 'stock',
  owner: 'tenants',
  tenant: 'required',
  rights: 'warehouse',
  record: 'warehouse',
  icon: Warehouse,
  help: 'warehouses',
  title: (row) => `${row.short_code} · ${row.name}`,
  detail: (row) => row.address,
})
