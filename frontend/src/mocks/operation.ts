import { HttpResponse, type RequestHandler } from 'msw'
import type { BackgroundWork } from '~/api/schema'
import { http, type Mock } from './server'

/** The background work, which the tests make up. */
export function operation({ db, guarded }: Mock): RequestHandler[] {
  return [
    http.get(
      '/api/admin/background-work',
      guarded('audit.view', () => HttpResponse.json<BackgroundWork>(db.backgroundWork)),
    ),
  ]
}
