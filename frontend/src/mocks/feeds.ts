import { HttpResponse, type RequestHandler } from 'msw'
import type { FeedState, FtpFeedRun } from '~/api/schema'
import { http, type Mock, problem } from './server'

const RUNS = '/api/admin/ftp-settings/{id}'
const RIGHT = 'configure-ftp-import'

/** Run that has just been requested. */
const requestedRun = (id: number, file: FtpFeedRun['file'], cause: FtpFeedRun['cause']): FtpFeedRun => ({
  id,
  file,
  cause,
  asked_by: { id: 2, name: 'Eva Lindner' },
  created_at: '2026-11-28T08:00:00Z',
  started_at: null,
  finished_at: null,
  outcome: null,
  failure: null,
  message: null,
  answer: null,
  file_name: null,
  bytes: null,
  sha256: null,
  import: null,
})

/** States of feeds, and their runs; nothing is fetched. */
export function feeds({ db, guarded }: Mock): RequestHandler[] {
  const add = (run: FtpFeedRun) => {
    db.feedRuns.unshift(run)
    return HttpResponse.json<FtpFeedRun>(run, { status: 202 })
  }
  return [
    http.get(
      '/api/admin/feeds',
      guarded(RIGHT, () => HttpResponse.json<{ data: FeedState[] }>({ data: db.feeds })),
    ),
    http.get(
      `${RUNS}/runs`,
      guarded(RIGHT, () =>
        HttpResponse.json({
          data: db.feedRuns,
          meta: { current_page: 1, last_page: 1, per_page: 10, total: db.feedRuns.length },
        } as never),
      ),
    ),
    http.post(
      `${RUNS}/run`,
      guarded<FtpFeedRun>(RIGHT, async ({ request }) => {
        const { file } = (await request.json()) as { file: FtpFeedRun['file'] }
        return add(requestedRun(db.feedRuns.length + 1, file, 'by_hand'))
      }),
    ),
    http.post(
      `${RUNS}/repeat`,
      guarded<FtpFeedRun>(RIGHT, async ({ request }) => {
        const { run_id } = (await request.json()) as { run_id: number }
        const run = db.feedRuns.find(({ id }) => id === run_id)
        return run ? add(requestedRun(db.feedRuns.length + 1, run.file, 'again')) : problem(404, 'not_found', 'Nicht gefunden.')
      }),
    ),
  ]
}
