import { useMemo } from 'react'
import type { ArticleRow, ArticleTypeAttribute } from '~/api/schema'
import { ImportButton } from '~/features/shared/import-button'
import { ResourceList } from '~/kit/records/resource-list'
import { columns, type TableColumn } from '~/kit/table/columns'
import { useListState } from '~/kit/table/use-list-state'
import { Thumbnail } from '~/kit/ui/thumbnail'
import { articles } from './api'
import { typeOf } from './of-type'
import { articleThumbnail } from './ref'
import { article } from './resource'
import { useArticleType } from './use-article-type'
import { WeightText } from './weight'

const col = columns<ArticleRow>('articles')
const COLUMNS = [
  col.text('article_number'),
  col.text('article_name', { noWrap: true }),
  col.custom('article_type_id', (row) => row.article_type.name, { sort: 'article_type' }),
  col.custom('material_id', (row) => row.material?.name, { sort: 'material', card: false }),
  col.custom('weight_per_base_unit', (row) => <WeightText row={row} />, { align: 'right' }),
  col.instant('updated_at', { card: false }),
  {
    ...col.custom('image', ({ id, image }) => image && <Thumbnail picture={articleThumbnail(id, image)} />, {
      optional: true,
      width: 72,
    }),
    sort: null,
  },
]

/**
 * Column for an attribute of the type that the list is filtered by; named like the filter by that attribute.
 */
const valueColumn = ({ attribute_id, name, type }: ArticleTypeAttribute): TableColumn<ArticleRow> => ({
  ...col.custom(`attribute_${attribute_id}`, ({ values }) => values?.find((value) => value.attribute_id === attribute_id)?.display, {
    label: name,
    optional: true,
    ...(type === 'metric' && { align: 'right' }),
  }),
  sort: null,
})

export default function ArticleList() {
  const { state } = useListState('articles', articles.spec)
  const attributes = useArticleType(typeOf(state.filters))?.attributes
  const all = useMemo(() => [...COLUMNS, ...(attributes ?? []).map(valueColumn)], [attributes])
  return <ResourceList resource={article} api={articles} columns={all} importer={<ImportButton type="Article" />} copyable retype />
}
