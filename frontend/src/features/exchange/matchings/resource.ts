import { Link2 } from 'lucide-react'
import type { Matching } from '~/api/schema'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    matchings: typeof import('~/i18n/de/matchings.json')
  }
}

export const matching = resource('/api/admin/matchings', {
  ns: 'matchings',
  path: '/matchings',
  group: 'exchange',
  owner: 'tenants',
  tenant: 'required',
  rights: 'matching',
  record: 'matching',
  icon: Link2,
  help: 'matchings',
  title: (row: Matching) => row.external_article_number ?? row.external_warehouse_identifier ?? row.external_tenant_identifier ?? '',
  detail: (row: Matching) => row.article?.article_number,
})
