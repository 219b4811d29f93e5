import { HttpResponse, type RequestHandler } from 'msw'
import type { Article, ArticleEffect, ArticlePreview, ArticleTypePreview, QuantityEquivalents } from '~/api/schema'
import { crud, type Reference } from './crud'
import type { Db } from './db'
import { file, http, type Mock } from './server'

/** References by which articles use a record. */
export const articlesOf = (db: Db, filter: string, refers: (article: Article, id: number) => boolean): Reference => ({
  by: 'articles',
  filter,
  rows: (id) => db.articles.filter((article) => refers(article, id)).map(({ id, article_number: name }) => ({ id, name })),
})

// effects of an input are computed by the server only: a test about them sets the answer itself
export const NO_EFFECT: ArticleEffect = { total: 0, unchanged: 0, changed: 0, refused: 0, changes: [] }
const TYPE_PREVIEW: ArticleTypePreview = { problems: {}, missing_primary: [], placeholders: [], examples: [] }
const PREVIEW: ArticlePreview = {
  article_number: null,
  article_name: null,
  weight_per_base_unit: null,
  material_required: false,
  problems: {},
}
const QUANTITIES: QuantityEquivalents = { equivalents: [], relations: [], sheet: null }

/** Articles and article types. */
export function articles(mock: Mock): RequestHandler[] {
  const { db, guarded } = mock
  return [
    http.post(
      '/api/admin/article-types/preview',
      guarded('article_type.view', () => HttpResponse.json(TYPE_PREVIEW)),
    ),
    http.post(
      '/api/admin/articles/{id}/quantities',
      guarded('article.view', () => HttpResponse.json(QUANTITIES)),
    ),
    http.post(
      '/api/admin/articles/preview',
      guarded('article.view', () => HttpResponse.json(PREVIEW)),
    ),
    http.post(
      '/api/admin/article-types/{id}/effect',
      guarded('article_type.update', () => HttpResponse.json(NO_EFFECT)),
    ),
    http.post(
      '/api/admin/article-types/{id}/effect-file',
      guarded('article_type.update', () => file('effect.csv', '')),
    ),
    ...crud(mock, '/api/admin/article-types', {
      rows: () => db.articleTypes,
      right: 'article_type',
      sort: 'name',
      textFields: ['name'],
      usedBy: [articlesOf(db, 'article_type_id', ({ article_type }, id) => article_type.id === id)],
      row: ({ attributes, article_type_group_id, trade_dimension_id, ...body }, before) => ({
        ...body,
        trade_dimension: db.tradeDimensions.find(({ id }) => id === trade_dimension_id) ?? null,
        group: db.articleTypeGroups.find(({ id }) => id === article_type_group_id) ?? null,
        attributes: attributes.flatMap(({ attribute_id, primary = false, dimension = null }, at) => {
          const attribute = db.attributes.find(({ id }) => id === attribute_id)
          return attribute ? [{ ...attribute, attribute_id, primary, dimension, position: at + 1 }] : []
        }),
        article_count: before?.article_count ?? 0,
      }),
    }),
    ...crud(mock, '/api/admin/articles', {
      rows: () => db.articles,
      right: 'article',
      sort: 'article_number',
      textFields: ['article_number', 'article_name'],
      unique: 'article_number',
      row(body, before) {
        const type = db.articleTypes.find(({ id }) => id === body.article_type_id)
        if (!type) throw new Error('no article type')
        const material = db.materials.find(({ id }) => id === body.material_id)
        return {
          article_number: body.article_number ?? before?.article_number ?? '',
          article_number_overridden: body.article_number !== null,
          article_name: body.article_name ?? before?.article_name ?? '',
          article_name_overridden: body.article_name !== null,
          weight_per_base_unit: body.weight_per_base_unit ?? before?.weight_per_base_unit ?? null,
          weight_per_base_unit_overridden: body.weight_per_base_unit !== null,
          other_numbers: body.other_numbers ?? before?.other_numbers ?? [],
          article_type: { id: type.id, name: type.name, base_unit_of_measure: type.base_unit_of_measure },
          section: type.section,
          image: before?.image ?? null,
          trade_dimension: before?.trade_dimension ?? null,
          material: material ?? null,
          values: body.values.flatMap(({ attribute_id, option_id = null, number = null, unit = null, text = null }) => {
            const attribute = type.attributes.find((candidate) => candidate.attribute_id === attribute_id)
            return attribute ? [{ ...attribute, option_id, number, unit, text, display: number ?? text ?? '' }] : []
          }),
        }
      },
    }),
  ]
}
