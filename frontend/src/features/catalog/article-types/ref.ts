import { reference } from '~/kit/records/reference'
import { articleType } from './resource'

export const articleTypeRef = reference('/api/admin/article-types', { label: articleType.title, search: 'search', sort: 'name' })
