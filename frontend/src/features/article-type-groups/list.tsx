import { Boxes } from 'lucide-react'
import type { ArticleTypeGroup } from '~/api/schema'
import { columns } from '~/kit/list/columns'
import { ResourceList } from '~/kit/list/resource-list'
import { articleTypeGroupList, articleTypeGroups } from './api'

const col = columns<ArticleTypeGroup>('articleTypeGroups')
const COLUMNS = [col.text('name'), col.text('description'), col.number('article_type_count'), col.instant('updated_at', { card: false })]

export default function ArticleTypeGroupList() {
  return (
    <ResourceList
      ns="articleTypeGroups"
      area="article-type-group"
      record="article_type_group"
      platform
      api={articleTypeGroups}
      spec={articleTypeGroupList}
      columns={COLUMNS}
      icon={Boxes}
      rowName={(row) => row.name}
    />
  )
}
