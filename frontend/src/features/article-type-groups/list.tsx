import type { ArticleTypeGroup } from '~/api/schema'
import { columns } from '~/kit/list/columns'
import { ResourceList } from '~/kit/list/resource-list'
import { articleTypeGroups } from './api'
import { articleTypeGroup } from './resource'

const col = columns<ArticleTypeGroup>('articleTypeGroups')
const COLUMNS = [col.text('name'), col.text('description'), col.number('article_type_count'), col.instant('updated_at', { card: false })]

export default function ArticleTypeGroupList() {
  return <ResourceList of={articleTypeGroup} api={articleTypeGroups} columns={COLUMNS} />
}
