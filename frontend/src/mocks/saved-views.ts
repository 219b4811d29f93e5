import { HttpResponse, type RequestHandler } from 'msw'
import type { SavedView, SavedViewInput } from '~/api/schema'
import { http, type Mock, problem } from './server'

/** Saved views of lists. */
export function savedViews({ db, guarded }: Mock): RequestHandler[] {
  const nameConflict = (body: SavedViewInput, id: number) =>
    db.views.some((view) => view.id !== id && view.list === body.list && view.name === body.name)
      ? problem(422, 'invalid', 'Bitte prüfen Sie Ihre Angaben.', { name: ['Diesen Namen gibt es schon.'] })
      : null
  return [
    http.get(
      '/api/admin/views',
      guarded('access-admin', ({ url }) =>
        HttpResponse.json({ data: db.views.filter((view) => view.list === url.searchParams.get('list')) }),
      ),
    ),
    http.post(
      '/api/admin/views',
      guarded('access-admin', async ({ request, user }) => {
        const { version: _, ...body } = (await request.json()) as SavedViewInput
        const id = db.views.length + 1
        const view: SavedView = { ...body, id, user: user.name, own: true, writable: true, default: false, version: 1, updated_at: '' }
        const refused = nameConflict(body, id)
        if (refused) return refused
        db.views.push(view)
        return HttpResponse.json(view, { status: 201 })
      }),
    ),
    http.put(
      '/api/admin/views/default',
      guarded('access-admin', async ({ request }) => {
        const { view_id } = (await request.json()) as { view_id: number | null }
        for (const view of db.views) view.default = view.id === view_id
        return new HttpResponse(null, { status: 204 })
      }),
    ),
    http.put(
      '/api/admin/views/{id}',
      guarded('access-admin', async ({ request, params }) => {
        const body = (await request.json()) as SavedViewInput
        const view = db.views.find(({ id }) => id === Number(params.id))
        if (!view) return problem(404, 'not_found', 'Die Ansicht wurde nicht gefunden.')
        const refused = nameConflict(body, view.id)
        if (refused) return refused
        Object.assign(view, body, { version: view.version + 1 })
        return HttpResponse.json(view)
      }),
    ),
    http.delete(
      '/api/admin/views/{id}',
      guarded('access-admin', ({ params }) => {
        db.views = db.views.filter(({ id }) => id !== Number(params.id))
        return new HttpResponse(null, { status: 204 })
      }),
    ),
  ]
}
