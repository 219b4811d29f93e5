import { UserCog } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    roles: typeof import('~/i18n/de/roles.json')
  }
}

export const role = resource('/api/admin/roles', {
  ns: 'roles',
  path: '/roles',
  group: 'userManagement',
  owner: 'either',
  rights: 'roles',
  record: 'role',
  icon: UserCog,
  help: 'users',
  title: (row) => row.name,
  detail: (row) => row.tenant?.company,
})
