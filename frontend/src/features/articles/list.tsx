import type { ArticleRow } from '~/api/schema'
import { columns } from '~/kit/list/columns'
import { ResourceList } from '~/kit/list/resource-list'
import { articles } from './api'
import { article } from './resource'
import { WeightText } from './weight'

const col = columns<ArticleRow>('articles')
const COLUMNS = [
  col.text('article_number'),
  col.text('article_name'),
  col.custom('article_type_id', (row) => row.article_type.name),
  col.custom('material_id', (row) => row.material?.name, { card: false }),
  col.custom('weight_per_base_unit', (row) => <WeightText row={row} />, { align: 'right' }),
  col.instant('updated_at', { card: false }),
]

export default function ArticleList() {
  return <ResourceList of={article} api={articles} columns={COLUMNS} copyable retype />
}
