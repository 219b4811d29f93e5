import { Building2 } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    tenants: typeof import('~/i18n/de/tenants.json')
  }
}

export const tenant = resource('/api/admin/tenants', {
  ns: 'tenants',
  path: '/tenants',
  group: 'administration',
  owner: 'platform',
  rights: 'tenant',
  record: 'tenant',
  icon: Building2,
  help: 'tenants',
  title: (row) => row.company,
  detail: (row) => row.short_code,
})
