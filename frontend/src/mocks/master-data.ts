import { HttpResponse, type RequestHandler } from 'msw'
import type { ProcessingPreview, ProcessingPreviewInput } from '~/api/schema'
import { articlesOf } from './articles'
import { crud } from './crud'
import { http, type Mock } from './server'
import { fill } from './template'

/** What articles are made of. */
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
        const { ids } = (await request.json()) as { ids: number[] }
        for (const row of db.attributes) row.position = ids.indexOf(row.id) + 1
        return new HttpResponse(null, { status: 204 })
      }),
    ),
    ...crud(mock, {
      table: 'materials',
      right: 'material',
      sort: 'name',
      textFields: ['name', 'display_name', 'article_number_name', 'material_number'],
      usedBy: [articlesOf(db, 'material_id', ({ material }, id) => material?.id === id)],
    }),
    ...crud(mock, {
      table: 'attributes',
      right: 'attribute',
      sort: 'position',
      textFields: ['name'],
      usedBy: [
        {
          by: 'article_types',
          filter: 'attribute_id',
          rows: (id) => db.articleTypes.filter(({ attributes }) => attributes.some((one) => one.attribute_id === id)),
        },
      ],
    }),
    ...crud(mock, { table: 'articleTypeGroups', right: 'article-type-group', sort: 'name', textFields: ['name', 'description'] }),
    http.post(
      '/api/admin/processings/preview',
      guarded('processing.view', async ({ request }) => {
        const { article_number_addition_template: template } = (await request.json()) as ProcessingPreviewInput
        const addition = fill(template, (placeholder) => (placeholder === 'schnittlaenge' ? '2500' : undefined))
        return HttpResponse.json({
          problems: addition === null ? { article_number_addition_template: ['Den Platzhalter gibt es nicht'] } : {},
          placeholders: ['schnittlaenge'],
          example: addition && `HEB-200-S235JR${addition}`,
        } satisfies ProcessingPreview)
      }),
    ),
    ...crud(mock, { table: 'processings', right: 'processing', sort: 'name', textFields: ['name', 'display_name'] }),
    ...crud(mock, { table: 'tradeDimensions', right: 'trade_dimension', sort: 'name', textFields: ['name'] }),
    // no article follows these here
    ...(['attribute', 'material'] as const).map((right) =>
      http.post(
        `/api/admin/${right}s/{id}/effect`,
        guarded(`${right}.update`, () => HttpResponse.json({ total: 0, unchanged: 0, changed: 0, refused: 0, changes: [] })),
      ),
    ),
  ]
}
