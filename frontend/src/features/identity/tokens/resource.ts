import { KeyRound } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    tokens: typeof import('~/i18n/de/tokens.json')
  }
}

export const token = resource('/api/admin/tokens', {
  ns: 'tokens',
  path: '/tokens',
  group: 'exchange',
  owner: 'either',
  rights: 'token',
  record: 'personal_access_token',
  irreversible: 'everything',
  icon: KeyRound,
  help: 'erp',
  title: (row) => row.name,
  detail: (row) => row.user.name,
})
