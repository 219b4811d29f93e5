import { CircleQuestionMark } from 'lucide-react'
import type { UnresolvedNumber } from '~/api/schema'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    unresolvedNumbers: typeof import('~/i18n/de/unresolvedNumbers.json')
  }
}

export const unresolvedNumber = resource('/api/admin/unresolved-numbers', {
  ns: 'unresolvedNumbers',
  path: '/unresolved-numbers',
  group: 'exchange',
  owner: 'tenants',
  tenant: 'required',
  rights: 'matching',
  record: 'unresolved_number',
  irreversible: 'everything',
  icon: CircleQuestionMark,
  help: 'matchings',
  title: (row: Pick<UnresolvedNumber, 'number'>) => row.number,
})
