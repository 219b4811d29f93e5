import { FolderTree } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    categories: typeof import('~/i18n/de/categories.json')
  }
}

export const category = resource('/api/admin/categories', {
  ns: 'categories',
  path: '/categories',
  group: 'masterData',
  owner: 'platform',
  rights: 'category',
  record: 'category',
  icon: FolderTree,
  help: 'catalogue',
  title: (row) => row.name,
  detail: (row) => row.parent?.name,
})
