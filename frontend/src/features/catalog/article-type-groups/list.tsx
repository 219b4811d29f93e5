import type { ArticleTypeGroup } from '~/api/schema'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { articleTypeGroups } from './api'
import { articleTypeGroup } from './resource'

const col = columns<ArticleTypeGroup>('articleTypeGroups')
const COLUMNS = [col.text('name'), col.text('description'), col.number('article_type_count'), col.instant('updated_at', { card: false })]

export default function ArticleTypeGroupList() {
  return <ResourceList resource={articleTypeGroup} api={articleTypeGroups} columns={COLUMNS} />
}
