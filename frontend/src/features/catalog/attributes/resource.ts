import { Ruler } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    attributes: typeof import('~/i18n/de/attributes.json')
  }
}

export const attribute = resource('/api/admin/attributes', {
  ns: 'attributes',
  path: '/attributes',
  group: 'masterData',
  owner: 'platform',
  rights: 'attribute',
  record: 'attribute',
  icon: Ruler,
  help: 'catalogue',
  title: (row) => row.name,
})
