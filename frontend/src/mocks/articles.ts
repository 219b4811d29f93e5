import { http as first, HttpResponse, type RequestHandler } from 'msw'
import type {
  Article,
  ArticleEffect,
  ArticleInput,
  ArticlePreview,
  ArticleTypeInput,
  ArticleTypePreview,
  QuantityEquivalents,
  QuantityInput,
  Unit,
} from '~/api/schema'
import { crud, type Reference } from './crud'
import type { Db } from './db'
import { http, type Mock, ORIGIN, problem } from './server'
import { fill } from './template'

/** The articles by which a record is in use. */
export const articlesOf = (db: Db, filter: string, refers: (article: Article, id: number) => boolean): Reference => ({
  by: 'articles',
  filter,
  rows: (id) => db.articles.filter((article) => refers(article, id)).map(({ id, article_number: name }) => ({ id, name })),
})

function typePreview(db: Db, input: ArticleTypeInput): ArticleTypePreview {
  const used = input.attributes.flatMap(({ attribute_id, primary }) => {
    const attribute = db.attributes.find(({ id }) => id === attribute_id)
    return attribute ? [{ ...attribute, primary }] : []
  })
  const shows = (template: string, placeholder: string) => template.includes(`{${placeholder}}`)
  const missing = used.filter(({ primary, placeholder }) => primary && !shows(input.article_number_template, placeholder))
  const sample = (template: string) => fill(template, (placeholder) => used.find((one) => one.placeholder === placeholder) && '100') ?? ''
  return {
    problems: missing.length > 0 ? { article_number_template: [`Es fehlen: ${missing.map(({ name }) => name).join(', ')}`] } : {},
    missing_primary: missing.map(({ id, name, placeholder }) => ({ attribute_id: id, name, placeholder })),
    placeholders: [...used, { placeholder: 'material', name: 'Werkstoff' }].map(({ placeholder, name }) => ({
      placeholder,
      name,
      used_in_number: shows(input.article_number_template, placeholder),
      used_in_name: shows(input.article_name_template, placeholder),
    })),
    examples: [
      { article_id: null, article_number: sample(input.article_number_template), article_name: sample(input.article_name_template) },
    ],
  }
}

function articlePreview(db: Db, input: ArticleInput): ArticlePreview {
  const type = db.articleTypes.find(({ id }) => id === input.article_type_id)
  const text = (template = '') =>
    fill(template, (placeholder) => {
      const attribute = db.attributes.find((one) => one.placeholder === placeholder)
      const value = input.values.find((one) => one.attribute_id === attribute?.id)
      const option = attribute?.options.find(({ id }) => id === value?.option_id)
      return option?.value ?? value?.number ?? value?.text ?? undefined
    })
  const weights = db.attributes.flatMap(({ id, weight_per_base_unit }) => {
    const number = input.values.find((one) => one.attribute_id === id)?.number
    return weight_per_base_unit && number ? [String(Number(weight_per_base_unit) * Number(number))] : []
  })
  return {
    article_number: text(type?.article_number_template),
    article_name: text(type?.article_name_template),
    weight_per_base_unit: weights[0] ?? null,
    material_required: `${type?.article_number_template}${type?.article_name_template}`.includes('{material}'),
    problems: {},
  }
}

/** What the type's articles would be called; two of one number are refused. */
function typeEffect(db: Db, id: number, input: ArticleTypeInput): ArticleEffect {
  const own = db.articles.filter(({ article_type }) => article_type.id === id)
  const changes = own.map((article) => {
    const called = (template: string) =>
      fill(template, (placeholder) => {
        const attribute = db.attributes.find((one) => one.placeholder === placeholder)
        const value = article.values.find(({ attribute_id }) => attribute_id === attribute?.id)
        return attribute?.options.find(({ id }) => id === value?.option_id)?.value ?? value?.number ?? value?.text ?? undefined
      })
    return {
      article_id: article.id,
      article_number: article.article_number,
      article_name: article.article_name,
      base_unit_of_measure: article.article_type.base_unit_of_measure,
      weight_per_base_unit: article.weight_per_base_unit,
      new_article_number: called(input.article_number_template),
      new_article_name: article.article_name_overridden ? article.article_name : called(input.article_name_template),
      new_weight_per_base_unit: article.weight_per_base_unit,
      problem: null as string | null,
    }
  })
  for (const change of changes) {
    const { new_article_number: number } = change
    if (changes.some((one) => one !== change && one.new_article_number === number))
      change.problem = `Die Nummer ${number} hätten mehrere Artikel`
  }
  const refused = changes.filter(({ problem }) => problem)
  const changed = changes.filter(
    (one) => !one.problem && [one.article_number, one.article_name].join() !== [one.new_article_number, one.new_article_name].join(),
  )
  const counts = {
    total: own.length,
    refused: refused.length,
    changed: changed.length,
    unchanged: own.length - refused.length - changed.length,
  }
  return { ...counts, changes: [...refused, ...changed] }
}

const categoryOf = (db: Db, unit: Unit) => db.units.find((one) => one.unit === unit)?.category

/** Every article is a bar of 12.1 m. */
function quantities(db: Db, amount: number, unit: Unit, weight: number) {
  const sizes: Partial<Record<Unit, number>> = { piece: 12.1, m: 1, mm: 0.001, kg: 1 / weight, t: 1000 / weight }
  const size = sizes[unit]
  if (size === undefined) {
    return problem(422, 'invalid', 'Bitte prüfen Sie Ihre Angaben.', { unit: [`In ${unit} wird der Artikel nicht gezählt`] })
  }
  const others = (['piece', 'm', 'kg'] as const).filter((one) => categoryOf(db, one) !== categoryOf(db, unit))
  return HttpResponse.json<QuantityEquivalents>({
    equivalents: others.map((one) => ({ amount: ((amount * size) / (sizes[one] ?? 1)).toFixed(6), unit: one })),
    relations: [
      { of: 'piece', amount: '12.1', unit: 'm' },
      { of: 'm', amount: String(weight), unit: 'kg' },
    ],
  })
}

/** Articles and their types. */
export function articles(mock: Mock): RequestHandler[] {
  const { db, guarded } = mock
  return [
    http.post(
      '/api/admin/article-types/preview',
      guarded('article_type.view', async ({ request }) => HttpResponse.json(typePreview(db, (await request.json()) as ArticleTypeInput))),
    ),
    http.post(
      '/api/admin/articles/{id}/quantities',
      guarded('article.view', async ({ request, params }) => {
        const { amount, unit } = (await request.json()) as QuantityInput
        const article = db.articles.find(({ id }) => id === Number(params.id))
        return article ? quantities(db, Number(amount), unit, Number(article.weight_per_base_unit)) : problem(404, 'not_found', '')
      }),
    ),
    http.post(
      '/api/admin/articles/preview',
      guarded('article.view', async ({ request }) => HttpResponse.json(articlePreview(db, (await request.json()) as ArticleInput))),
    ),
    http.post(
      '/api/admin/article-types/{id}/effect',
      guarded('article_type.update', async ({ request, params }) =>
        HttpResponse.json(typeEffect(db, Number(params.id), (await request.json()) as ArticleTypeInput)),
      ),
    ),
    http.post(
      '/api/admin/article-types/{id}/effect-file',
      guarded(
        'article_type.update',
        () => new HttpResponse('Artikelnummer (Bisher);Artikelnummer (Künftig)\r\n', { headers: { 'content-type': 'text/csv' } }),
      ),
    ),
    // what it lets pass is saved by the next one
    first.put(`${ORIGIN}/api/admin/article-types/:id`, async ({ request, params }) => {
      const input = (await request.clone().json()) as ArticleTypeInput
      const { refused, changed, changes } = typeEffect(db, Number(params.id), input)
      if (refused > 0) {
        return problem(422, 'invalid', 'Bitte prüfen Sie Ihre Angaben.', { article_number_template: [`${refused} Artikel kollidieren`] })
      }
      if (changed !== (input.change_articles ?? 0)) return problem(409, 'articles_change', `Damit ändern sich ${changed} Artikel.`)
      for (const { article_id, new_article_number, new_article_name } of changes) {
        const article = db.articles.find(({ id }) => id === article_id)
        Object.assign(article ?? {}, { article_number: new_article_number, article_name: new_article_name })
      }
      return undefined
    }),
    ...crud(mock, {
      table: 'articleTypes',
      right: 'article_type',
      sort: 'name',
      textFields: ['name'],
      usedBy: [articlesOf(db, 'article_type_id', ({ article_type }, id) => article_type.id === id)],
      completed: (body) => ({
        trade_dimension: db.tradeDimensions.find(({ id }) => id === body.trade_dimension_id) ?? null,
        group: db.articleTypeGroups.find(({ id }) => id === body.article_type_group_id) ?? null,
        attributes: (body as unknown as ArticleTypeInput).attributes.map((one, at) => ({
          ...db.attributes.find(({ id }) => id === one.attribute_id),
          ...one,
          position: at + 1,
        })),
      }),
    }),
    ...crud(mock, {
      table: 'articles',
      right: 'article',
      sort: 'article_number',
      textFields: ['article_number', 'article_name'],
      unique: 'article_number',
      completed(body) {
        const input = body as unknown as ArticleInput
        const preview = articlePreview(db, input)
        return {
          article_number: input.article_number ?? preview.article_number,
          article_number_overridden: input.article_number !== null,
          article_name: input.article_name ?? preview.article_name,
          article_name_overridden: input.article_name !== null,
          weight_per_base_unit: input.weight_per_base_unit ?? preview.weight_per_base_unit,
          weight_per_base_unit_overridden: input.weight_per_base_unit !== null,
          article_type: db.articleTypes.find(({ id }) => id === input.article_type_id),
          material: db.materials.find(({ id }) => id === input.material_id) ?? null,
        }
      },
    }),
  ]
}
