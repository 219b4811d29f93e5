import { Boxes } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    articleTypeGroups: typeof import('~/i18n/de/articleTypeGroups.json')
  }
}

export const articleTypeGroup = resource('/api/admin/article-type-groups', {
  ns: 'articleTypeGroups',
  path: '/article-type-groups',
  group: 'masterData',
  owner: 'platform',
  rights: 'article-type-group',
  record: 'article_type_group',
  icon: Boxes,
  help: 'catalogue',
  title: (row) => row.name,
  detail: (row) => row.description,
})
