import { HttpResponse, type RequestHandler } from 'msw'
import { articlesOf, NO_EFFECT } from './articles'
import { crud } from './crud'
import { http, type Mock, problem } from './server'

/** Master data of articles. */
export function masterData(mock: Mock): RequestHandler[] {
  const { db, guarded } = mock
  return [
    http.get(
      '/api/admin/units',
      guarded(null, () => HttpResponse.json({ data: db.units })),
    ),
    http.put(
      '/api/admin/attributes/order',
      guarded('attribute.update', async ({ request }) => {
        const { ids, seen } = (await request.json()) as { ids: number[]; seen: number[] }
        const now = db.attributes.toSorted((attribute, other) => attribute.position - other.position).map(({ id }) => id)
        if (now.join() !== seen.join()) return problem(409, 'order_changed', 'Die Reihenfolge wurde inzwischen geändert.')
        for (const row of db.attributes) row.position = ids.indexOf(row.id) + 1
        return new HttpResponse(null, { status: 204 })
      }),
    ),
    ...crud(mock, '/api/admin/materials', {
      rows: () => db.materials,
      right: 'material',
      sort: 'name',
      textFields: ['name', 'display_name', 'article_number_name', 'material_number'],
      usedBy: [articlesOf(db, 'material_id', ({ material }, id) => material?.id === id)],
      row: (body) => body,
    }),
    ...crud(mock, '/api/admin/attributes', {
      rows: () => db.attributes,
      right: 'attribute',
      sort: 'position',
      textFields: ['name'],
      usedBy: [
        {
          by: 'article_types',
          filter: 'attribute_id',
          rows: (id) => db.articleTypes.filter(({ attributes }) => attributes.some((attribute) => attribute.attribute_id === id)),
        },
      ],
      row({ options, ...body }, before) {
        const maxId = Math.max(0, ...options.map(({ id }) => id ?? 0))
        return {
          ...body,
          placeholder: before?.placeholder ?? body.name.toLowerCase(),
          position: before?.position ?? db.attributes.length + 1,
          options: options.map(({ id, display_value = null, weight_per_base_unit = null, ...rest }, at) => ({
            ...rest,
            id: id ?? maxId + at + 1,
            display_value,
            weight_per_base_unit,
          })),
        }
      },
    }),
    ...crud(mock, '/api/admin/article-type-groups', {
      rows: () => db.articleTypeGroups,
      right: 'article-type-group',
      sort: 'name',
      textFields: ['name', 'description'],
      row: (body, before) => ({ ...body, article_type_count: before?.article_type_count ?? 0 }),
    }),
    http.post(
      '/api/admin/processings/preview',
      guarded('processing.view', () => HttpResponse.json({ problems: {}, placeholders: [], example: null })),
    ),
    ...crud(mock, '/api/admin/processings', {
      rows: () => db.processings,
      right: 'processing',
      sort: 'name',
      textFields: ['name', 'display_name'],
      row: (body) => body,
    }),
    ...crud(mock, '/api/admin/trade-dimensions', {
      rows: () => db.tradeDimensions,
      right: 'trade_dimension',
      sort: 'name',
      textFields: ['name'],
      row: ({ name, clusters }) => ({
        name,
        clusters: clusters.map(({ minimum = null, maximum = null, ...rest }) => ({ ...rest, minimum, maximum })),
      }),
    }),
    ...(['attribute', 'material'] as const).map((right) =>
      http.post(
        `/api/admin/${right}s/{id}/effect`,
        guarded(`${right}.update`, () => HttpResponse.json(NO_EFFECT)),
      ),
    ),
  ]
}
