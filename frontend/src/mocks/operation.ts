import { HttpResponse, type RequestHandler } from 'msw'
import type { BackgroundWork } from '~/api/schema'
import { http, type Mock } from './server'

/** Background work, as set by the tests. */
export function operation({ db, guarded }: Mock): RequestHandler[] {
  return [
    http.get(
      '/api/admin/background-work',
      guarded('audit.view', () => HttpResponse.json<BackgroundWork>(db.backgroundWork)),
    ),
  ]
}
