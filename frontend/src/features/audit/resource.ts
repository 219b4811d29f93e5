import { History } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    audit: typeof import('~/i18n/de/audit.json')
  }
}

export const entry = resource('/api/admin/audit', {
  ns: 'audit',
  path: '/audit',
  group: 'administration',
  owner: 'either',
  rights: 'audit',
  record: null,
  icon: History,
  help: 'history',
  title: (row) => row.record_name ?? (row.record_id === null ? '' : `#${row.record_id}`),
})
