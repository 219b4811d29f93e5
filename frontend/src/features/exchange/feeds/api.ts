import { $api } from '~/api/client'

/** Lights change without an action of the user. */
const REFRESH = 60_000
/** The most rows of a list that are shown. */
const SHOWN = 200
const first = { params: { query: { 'page[size]': SHOWN } } }

export const feedsApi = {
  /** The feeds that the user sees, worst first. */
  all: () => ({ ...$api.queryOptions('get', '/api/admin/feeds'), refetchInterval: REFRESH }),
  externalApis: () => ({ ...$api.queryOptions('get', '/api/admin/external-apis', first), refetchInterval: REFRESH }),
  webhooks: () => ({ ...$api.queryOptions('get', '/api/admin/webhooks', first), refetchInterval: REFRESH }),
}
