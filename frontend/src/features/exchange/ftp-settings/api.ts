import { change } from '~/api/change'
import { $api, client, data, LONG_TIMEOUT } from '~/api/client'
import type { FtpFeedRun, FtpFileKind, FtpSchedule, FtpTestInput } from '~/api/schema'
import type { SentBy } from '~/kit/records/contract'
import type { FtpSettingsBody, SecretName } from './schema'

const LIST = '/api/admin/ftp-settings'
/** Polling interval in milliseconds while a run is in progress. */
const WHILE_RUNNING = 3_000
const at = (id: number) => ({ params: { path: { id } } })

export const ftpSettingsApi = {
  one: (id: number) => $api.queryOptions('get', `${LIST}/{id}`, at(id)),
  create: (body: FtpSettingsBody) => change(data(client.POST(LIST, { body }))),
  update: (id: number, body: SentBy<`${typeof LIST}/{id}`, 'put'>) => change(data(client.PUT(`${LIST}/{id}`, { ...at(id), body }))),
  /** Removes a stored secret. */
  removeSecret: (id: number, version: number, name: SecretName) =>
    change(data(client.PATCH(`${LIST}/{id}`, { ...at(id), body: { [name]: '', version } }))),
  remove: (id: number) => change(data(client.DELETE(`${LIST}/{id}`, at(id)))),
  /** FTP settings of the tenant: at most one record. */
  all: () => $api.queryOptions('get', LIST, { params: { query: {} } }),
  /** Choices that the server offers. */
  options: () => $api.queryOptions('get', `${LIST}/options`),
  /** Next runs of a schedule that is being edited. */
  previewRuns: (schedule: FtpSchedule) => $api.queryOptions('post', `${LIST}/next-runs`, { body: { schedule } }),
  /** Tests the connection up to a plan of the import; nothing is changed. */
  test: (body: FtpTestInput) => data(client.POST(`${LIST}/test`, { body, headers: LONG_TIMEOUT })),
  pause: (id: number, file: FtpFileKind) => change(data(client.POST(`${LIST}/{id}/pause`, { ...at(id), body: { file } }))),
  resume: (id: number, file: FtpFileKind) => change(data(client.POST(`${LIST}/{id}/resume`, { ...at(id), body: { file } }))),
  /** Latest runs, polled while one is in progress. */
  runs: (id: number) => ({
    ...$api.queryOptions('get', `${LIST}/{id}/runs`, { params: { path: { id }, query: { 'page[size]': 10 } } }),
    refetchInterval: ({ state }: { state: { data?: { data: readonly FtpFeedRun[] } | undefined } }) =>
      state.data?.data.some(({ finished_at }) => finished_at === null) ? WHILE_RUNNING : false,
  }),
  run: (id: number, file: FtpFileKind) => change(data(client.POST(`${LIST}/{id}/run`, { ...at(id), body: { file } }))),
  repeat: (id: number, run_id: number) => change(data(client.POST(`${LIST}/{id}/repeat`, { ...at(id), body: { run_id } }))),
  trustHostKey: (id: number, host_key: string, version: number) =>
    change(data(client.POST(`${LIST}/{id}/trust-host-key`, { ...at(id), body: { host_key, version } }))),
}
