import { change } from '~/api/change'
import { $api, client, data, LONG_TIMEOUT } from '~/api/client'
import { queryClient } from '~/api/query'
import type { Article, ArticleType, QuantityInput, ValueInput } from '~/api/schema'
import { type UploadOptions, upload } from '~/api/upload'
import { articleTypeGroupRef } from '~/features/catalog/article-type-groups/ref'
import { articleTypeRef } from '~/features/catalog/article-types/ref'
import { categoryRef } from '~/features/catalog/categories/ref'
import { materialRef } from '~/features/catalog/materials/ref'
import { tradeDimensionRef } from '~/features/catalog/trade-dimensions/ref'
import { importRef } from '~/features/exchange/imports/ref'
import type { Query } from '~/kit/records/contract'
import { crud } from '~/kit/records/crud'
import { type Bulk, type BulkFields, bulkParams } from '~/kit/records/selection/bulk'
import { type ListState, toWire } from '~/kit/table/list-state'
import type { BulkSelection } from '~/kit/table/selection/use-selection'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { VERSIONED } from '~/kit/ui/versioned'
import { attributeValue } from './attribute-value/ref'
import { typeOf } from './of-type'

const LIST = '/api/admin/articles'
const IMAGE = '/api/admin/articles/{id}/image'
const BYTES = { parseAs: 'blob' } as const

const picture = (call: Promise<{ data?: unknown }>) => data(call) as Promise<Blob>

const all = crud(LIST, {
  filters: {
    search: { kind: 'search' },
    article_number: { kind: 'text' },
    article_name: { kind: 'text' },
    article_type_id: { kind: 'ref', source: articleTypeRef },
    material_id: { kind: 'ref', source: materialRef, optional: true },
    attribute: attributeValue,
    article_type_group_id: { kind: 'ref', source: articleTypeGroupRef },
    category_id: { kind: 'ref', source: categoryRef(null) },
    trade_dimension_id: { kind: 'ref', source: tradeDimensionRef },
    weight_per_base_unit: { kind: 'decimal', unit: 'kg', optional: true },
    updated_at: { kind: 'date' },
    import_id: { kind: 'ref', source: importRef },
  },
  sorts: ['article_number', 'article_name', 'article_type', 'material', 'weight_per_base_unit', 'updated_at'],
  defaultSort: 'article_number',
  search: 'search',
  bulk: () => import('./bulk'),
})

/** Changes the values of many articles; the API's bulk operation has no field for values. */
async function changeValues(state: ListState, selection: BulkSelection, values: ValueInput[]) {
  const bulk = await import('./bulk')
  return change(bulk.sendValues(toWire(all.spec, { ...state, sort: 'id' }), selection, values))
}

const bulkChange = all.bulk.change
const articleBulkChange: Bulk['change'] = bulkChange && {
  async fields({ filters }) {
    const id = typeOf(filters)
    const type = id === null ? null : await queryClient.fetchQuery<ArticleType>(articleTypeRef.one(id))
    return { default: (await import('./bulk')).fieldsOf(type) as BulkFields }
  },
  run: (state, selection, changed) =>
    changed.field === 'values' ? changeValues(state, selection, changed.value as ValueInput[]) : bulkChange.run(state, selection, changed),
  effect: {
    // the effect on values cannot be previewed either
    load: async (state, selection, changed) =>
      changed.field === 'values'
        ? null
        : data(
            client.POST(`${LIST}/bulk-effect`, {
              params: bulkParams(all.spec, state, selection),
              body: { selection, change: changed } as never,
              headers: LONG_TIMEOUT,
            }),
          ),
    View: lazyWithTexts(() => import('~/features/catalog/shared/effect/effect-dialog'), 'effect'),
  },
}

export const articles = {
  ...all,
  bulk: { ...all.bulk, ...(articleBulkChange && { change: articleBulkChange }) },
  /** Page of articles; if the list is filtered by one type, articles include their values. */
  list: (state: ListState) =>
    $api.queryOptions('get', LIST, {
      params: {
        query: { ...toWire<Query<typeof LIST>>(all.spec, state), ...(typeOf(state.filters) !== null && { include: 'values' as const }) },
      },
    }),
  /** Article with the given number. */
  byNumber: (number: string) =>
    $api.queryOptions('get', LIST, { params: { query: { 'page[size]': 1, filter: { 'filter[article_number_equals]': number } } } }),
  /** Bytes of an article's own picture. */
  image: (id: number, version: string) => ({
    queryKey: ['image', LIST, id, version],
    queryFn: () => picture(client.GET(IMAGE, { params: { path: { id }, query: { v: version } }, ...BYTES })),
    ...VERSIONED,
  }),
  setImage(id: number, _: 'image', file: File, version: number, options: Omit<UploadOptions, 'method'>): Promise<Article> {
    const form = new FormData()
    form.append('version', String(version))
    form.append('file', file)
    return upload<Article>(IMAGE.replace('{id}', String(id)), form, { ...options, method: 'PUT' })
  },
  removeImage: (id: number) => change(data(client.DELETE(IMAGE, { params: { path: { id } } }))),
  /** Query for the quantities of an article; not cached, because the result changes with the article. */
  quantities: (id: number) => (body: QuantityInput) =>
    $api.queryOptions('post', '/api/admin/articles/{id}/quantities', { params: { path: { id } }, body }, { gcTime: 0 }),
}
