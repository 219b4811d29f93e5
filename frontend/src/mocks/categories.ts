import { HttpResponse, type RequestHandler } from 'msw'
import type { Category, CategoryMoveInput } from '~/api/schema'
import { crud } from './crud'
import { NOTHING_INHERITED } from './db'
import { file, http, type Mock, problem } from './server'

/** Tree of categories. */
export function categories(mock: Mock): RequestHandler[] {
  const { db, guarded } = mock
  const find = (id: unknown) => db.categories.find((row) => row.id === Number(id))
  const referenceTo = (id: number | null | undefined) => {
    const row = find(id)
    return row ? { id: row.id, name: row.name } : null
  }
  const notFound = () => problem(404, 'not_found', 'Der Eintrag wurde nicht gefunden.')
  const changed = (row: Category, change: Partial<Category>) => {
    Object.assign(row, change, { version: row.version + 1 })
    return HttpResponse.json<Category>(row)
  }
  const image = (name: 'image' | 'article_type_image', path: 'image' | 'article-type-image') => [
    http.get(
      `/api/admin/categories/{id}/${path}`,
      guarded('category.view', ({ params }) => (find(params.id)?.[name] ? file('picture.png', 'picture') : notFound())),
    ),
    http.put(
      `/api/admin/categories/{id}/${path}`,
      guarded('category.update', async ({ request, params }) => {
        const row = find(params.id)
        if (!row) return notFound()
        const form = await request.formData()
        if (Number(form.get('version')) !== row.version) return problem(409, 'stale', 'Der Eintrag wurde inzwischen geändert.')
        return changed(row, { [name]: { version: `${path}-${row.version}`, width: 10, height: 10 } })
      }),
    ),
    http.delete(
      `/api/admin/categories/{id}/${path}`,
      guarded('category.update', ({ params }) => {
        const row = find(params.id)
        return row ? changed(row, { [name]: null }) : notFound()
      }),
    ),
  ]
  return [
    http.get(
      '/api/admin/categories/tree',
      guarded('category.list', () =>
        HttpResponse.json({
          data: db.categories.map(({ id, name, display_name, parent, article_type, image, version }) => ({
            id,
            name,
            display_name,
            parent_id: parent?.id ?? null,
            article_type,
            image: image?.version ?? null,
            version,
          })),
        }),
      ),
    ),
    http.post(
      '/api/admin/categories/{id}/move',
      guarded('category.update', async ({ request, params }) => {
        const row = find(params.id)
        const { parent_id, before_id, version } = (await request.json()) as CategoryMoveInput
        if (!row) return notFound()
        if (version !== row.version) return problem(409, 'stale', 'Der Eintrag wurde inzwischen geändert.')
        const rest = db.categories.filter((other) => other !== row)
        const at = rest.findIndex((other) => other.id === before_id)
        rest.splice(at < 0 ? rest.length : at, 0, row)
        db.categories = rest
        return changed(row, { parent: referenceTo(parent_id) })
      }),
    ),
    http.get(
      '/api/admin/categories/{id}/image/thumbnail',
      guarded('category.view', () => file('small.png', 'small')),
    ),
    ...image('image', 'image'),
    ...image('article_type_image', 'article-type-image'),
    ...crud(mock, '/api/admin/categories', {
      rows: () => db.categories,
      right: 'category',
      sort: 'name',
      textFields: ['name'],
      usedBy: [
        {
          by: 'categories',
          filter: 'parent_id',
          rows: (id) => db.categories.filter((row) => row.parent?.id === id).map(({ id, name }) => ({ id, name })),
        },
      ],
      row({ parent_id, article_type_id, ...body }, before) {
        const type = db.articleTypes.find(({ id }) => id === article_type_id)
        return {
          ...body,
          parent: referenceTo(parent_id),
          article_type: type ? { id: type.id, name: type.name } : null,
          image: before?.image ?? null,
          article_type_image: before?.article_type_image ?? null,
          inherited: NOTHING_INHERITED,
        }
      },
    }),
  ]
}
