import { HttpResponse, type RequestHandler } from 'msw'
import type { ExternalApi, ExternalApiCall, ExternalApiInput, ExternalApiTest, ExternalApiTestInput, Import } from '~/api/schema'
import { http, type Mock, problem } from './server'

const LIST = '/api/admin/external-apis'
const RIGHT = 'configure-external-api'

const UNUSED: ExternalApi['state'] = { status: 'unused', failures_in_row: 0, open_until: null, last_success_at: null, last_failure: null }

/** Applies an input to the former settings. */
const saved = ({ secret, version: _, ...body }: ExternalApiInput, before: ExternalApi | undefined): ExternalApi =>
  ({
    ...body,
    id: before?.id ?? 1,
    version: (before?.version ?? 0) + 1,
    created_at: '2026-11-28T08:00:00Z',
    updated_at: '2026-11-28T08:00:00Z',
    tenant: { id: 1, short_code: 'NORD' },
    secret_set: Boolean(secret) || (secret == null && before?.secret_set === true),
    state: before?.state ?? UNUSED,
    last_fetch: before?.last_fetch ?? null,
  }) as ExternalApi

/** External APIs; nothing is called. */
export function externalApis({ db, guarded }: Mock): RequestHandler[] {
  const findApi = (id: string | undefined) => db.externalApis.find((row) => row.id === Number(id))
  const store = (row: ExternalApi) => {
    db.externalApis.splice(0, 1, row)
    return HttpResponse.json<ExternalApi>(row)
  }
  const missing = () => problem(404, 'not_found', 'Nicht gefunden.')
  return [
    http.get(
      LIST,
      guarded(RIGHT, () =>
        HttpResponse.json({
          data: db.externalApis,
          meta: { current_page: 1, last_page: 1, per_page: 40, total: db.externalApis.length },
        } as never),
      ),
    ),
    http.get(
      `${LIST}/options`,
      guarded(RIGHT, () => HttpResponse.json({ secrets_available: db.ftpOptions.secrets_available, kinds: ['generic_json'] } as never)),
    ),
    http.post(
      `${LIST}/test`,
      guarded(RIGHT, async ({ request }) => {
        db.externalApiTested = (await request.json()) as ExternalApiTestInput
        return HttpResponse.json(db.externalApiTest as ExternalApiTest)
      }),
    ),
    http.post(
      LIST,
      guarded(RIGHT, async ({ request }) => {
        db.externalApis.push(saved((await request.json()) as ExternalApiInput, undefined))
        return HttpResponse.json(db.externalApis[0] as ExternalApi, { status: 201 })
      }),
    ),
    http.get(
      `${LIST}/{id}`,
      guarded(RIGHT, ({ params }) => {
        const row = findApi(params.id)
        return row ? HttpResponse.json(row) : missing()
      }),
    ),
    http.put(
      `${LIST}/{id}`,
      guarded(RIGHT, async ({ request, params }) => {
        const row = findApi(params.id)
        return row ? store(saved((await request.json()) as ExternalApiInput, row)) : missing()
      }),
    ),
    http.patch(
      `${LIST}/{id}`,
      guarded(RIGHT, ({ params }) => {
        const row = findApi(params.id)
        return row ? store({ ...row, version: row.version + 1, secret_set: false }) : missing()
      }),
    ),
    http.delete(
      `${LIST}/{id}`,
      guarded(RIGHT, () => {
        db.externalApis.length = 0
        return new HttpResponse(null, { status: 204 }) as never
      }),
    ),
    http.get(
      `${LIST}/{id}/calls`,
      guarded(RIGHT, () => HttpResponse.json<{ data: ExternalApiCall[] }>({ data: db.externalApiCalls })),
    ),
    http.post(
      `${LIST}/{id}/import-meta-data`,
      guarded(RIGHT, ({ params }) => {
        const lists = findApi(params.id)?.meta_data
        if (!lists?.articles && !lists?.warehouses && !lists?.tenants) return problem(409, 'api_no_lists', 'Es gibt keine Liste.')
        const row: Import = {
          ...(db.imports[5] as Import),
          id: db.imports.length + 1,
          type: 'ExternalApiMetaData',
          upload_file: 'erp.json',
        }
        db.imports.push(row)
        return HttpResponse.json(row, { status: 201 })
      }),
    ),
    http.post(
      `${LIST}/next-runs`,
      guarded(RIGHT, () => HttpResponse.json({ runs: [] })),
    ),
    http.post(
      `${LIST}/{id}/close-breaker`,
      guarded(RIGHT, ({ params }) => {
        const row = findApi(params.id)
        return row ? store({ ...row, state: { ...row.state, status: 'failing', open_until: null } }) : missing()
      }),
    ),
  ]
}
