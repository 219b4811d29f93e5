import { client } from '~/api/client'
import { download, FILE } from '~/api/download'
import { type ArticleTypeInput, unitValues } from '~/api/schema'
import { articleTypeGroupRef } from '~/features/catalog/article-type-groups/ref'
import { attributeRef } from '~/features/catalog/attributes/ref'
import { tradeDimensionRef } from '~/features/catalog/trade-dimensions/ref'
import { crud } from '~/kit/records/crud'

export const articleTypes = {
  ...crud('/api/admin/article-types', {
    filters: {
      search: { kind: 'search' },
      name: { kind: 'text' },
      article_type_group_id: { kind: 'ref', source: articleTypeGroupRef, optional: true },
      attribute_id: { kind: 'ref', source: attributeRef, optional: true },
      trade_dimension_id: { kind: 'ref', source: tradeDimensionRef, optional: true },
      base_unit_of_measure: { kind: 'enum', values: unitValues },
      updated_at: { kind: 'date' },
    },
    sorts: ['name', 'updated_at'],
    defaultSort: 'name',
    search: 'search',
    // its articles change with it
    longTimeout: true,
    bulk: () => import('./bulk'),
  }),
  /** Complete effect as a file. */
  effectFile: (id: number, body: ArticleTypeInput) =>
    download(client.POST('/api/admin/article-types/{id}/effect-file', { params: { path: { id } }, body, ...FILE })),
}
