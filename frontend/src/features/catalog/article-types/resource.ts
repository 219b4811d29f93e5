import { Shapes } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    articleTypes: typeof import('~/i18n/de/articleTypes.json')
  }
}

export const articleType = resource('/api/admin/article-types', {
  ns: 'articleTypes',
  path: '/articleTypes',
  group: 'masterData',
  owner: 'platform',
  rights: 'article_type',
  record: 'article_type',
  icon: Shapes,
  help: 'catalogue',
  title: (row) => row.name,
})
