import { Users } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    users: typeof import('~/i18n/de/users.json')
  }
}

export const user = resource('/api/admin/users', {
  ns: 'users',
  path: '/users',
  group: 'userManagement',
  owner: 'either',
  rights: 'user',
  record: 'user',
  irreversible: 'deletion',
  icon: Users,
  help: 'users',
  title: (row) => row.name,
  detail: (row) => row.email,
})
