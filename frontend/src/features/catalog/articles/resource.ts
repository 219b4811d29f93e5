import { Package } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    articles: typeof import('~/i18n/de/articles.json')
  }
}

export const article = resource('/api/admin/articles', {
  ns: 'articles',
  path: '/articles',
  group: 'masterData',
  owner: 'platform',
  rights: 'article',
  record: 'article',
  icon: Package,
  help: 'articles',
  title: (row) => row.article_number,
  detail: (row) => row.article_name,
})
