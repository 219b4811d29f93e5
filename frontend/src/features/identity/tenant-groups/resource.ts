import { Handshake } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    tenantGroups: typeof import('~/i18n/de/tenantGroups.json')
  }
}

export const tenantGroup = resource('/api/admin/tenant-groups', {
  ns: 'tenantGroups',
  path: '/tenant-groups',
  group: 'administration',
  owner: 'platform',
  rights: 'tenant-group',
  record: 'tenant_group',
  icon: Handshake,
  help: 'tenants',
  title: (row) => row.name,
  detail: (row) => row.description,
})
