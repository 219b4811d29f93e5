import { reference } from '~/kit/records/reference'
import { articleTypeGroup } from './resource'

export const articleTypeGroupRef = reference('/api/admin/article-type-groups', {
  label: articleTypeGroup.title,
  search: 'name',
  sort: 'name',
})
