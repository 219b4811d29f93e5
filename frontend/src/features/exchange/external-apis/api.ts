import { change, refresh } from '~/api/change'
import { $api, client, data } from '~/api/client'
import type { ExternalApi, ExternalApiTestInput, FtpSchedule } from '~/api/schema'
import type { SentBy } from '~/kit/records/contract'
import type { ExternalApiBody } from './schema'

const LIST = '/api/admin/external-apis'
/** Polling interval in milliseconds while an API does not answer. */
const WHILE_FAILING = 10_000
/**
 * Time-out of a test, which may need a token request and several pages, each within the time-out of the
 * settings.
 */
const TEST_TIMEOUT = { 'x-timeout': '60000' } as const
/** Time-out of a fetch of all lists, which takes at most a minute. */
const FETCH_TIMEOUT = { 'x-timeout': '90000' } as const
/**
 * Exempts the log of calls from invalidation: changes of records make no calls, least of all the deletion of
 * the API.
 */
const CALLS = { meta: { fixed: true } } as const
const at = (id: number) => ({ params: { path: { id } } })

const isFailing = ({ state: { status } }: ExternalApi) => status === 'failing' || status === 'open'

export const externalApis = {
  one: (id: number) => $api.queryOptions('get', `${LIST}/{id}`, at(id)),
  create: (body: ExternalApiBody) => change(data(client.POST(LIST, { body }))),
  update: (id: number, body: SentBy<`${typeof LIST}/{id}`, 'put'>) => change(data(client.PUT(`${LIST}/{id}`, { ...at(id), body }))),
  /** Removes the stored secret. */
  removeSecret: (id: number, version: number) => change(data(client.PATCH(`${LIST}/{id}`, { ...at(id), body: { secret: '', version } }))),
  remove: (id: number) => change(data(client.DELETE(`${LIST}/{id}`, at(id)))),
  /** External API of the tenant: at most one. */
  all: () => ({
    ...$api.queryOptions('get', LIST, { params: { query: {} } }),
    refetchInterval: ({ state }: { state: { data?: { data: readonly ExternalApi[] } | undefined } }) =>
      state.data?.data.some(isFailing) ? WHILE_FAILING : false,
  }),
  /** Choices that the server offers. */
  options: () => $api.queryOptions('get', `${LIST}/options`),
  /** Sends one test request; nothing is saved. */
  test: (body: ExternalApiTestInput) => data(client.POST(`${LIST}/test`, { body, headers: TEST_TIMEOUT })),
  /** Latest calls, newest first. */
  calls: (id: number) => $api.queryOptions('get', `${LIST}/{id}/calls`, at(id), CALLS),
  /**
   * Fetches the lists and imports them as a document. A failure also changes the state of the API and its
   * last fetch.
   */
  importMetaData: async (id: number) => {
    try {
      return await data(client.POST(`${LIST}/{id}/import-meta-data`, { ...at(id), headers: FETCH_TIMEOUT }))
    } finally {
      void refresh()
    }
  },
  /** Next runs of a schedule that is being edited. */
  previewRuns: (schedule: FtpSchedule) => $api.queryOptions('post', `${LIST}/next-runs`, { body: { schedule } }),
  closeBreaker: (id: number) => change(data(client.POST(`${LIST}/{id}/close-breaker`, at(id)))),
}
