import { $api } from '~/api/client'

/** Refresh interval in milliseconds: lights change without an action of the user. */
const REFRESH = 60_000
/** Maximum number of rows shown of each list. */
const SHOWN = 200
const first = { params: { query: { 'page[size]': SHOWN } } }

export const feedsApi = {
  /** Feeds that the user can see, worst first. */
  all: () => ({ ...$api.queryOptions('get', '/api/admin/feeds'), refetchInterval: REFRESH }),
  externalApis: () => ({ ...$api.queryOptions('get', '/api/admin/external-apis', first), refetchInterval: REFRESH }),
  webhooks: () => ({ ...$api.queryOptions('get', '/api/admin/webhooks', first), refetchInterval: REFRESH }),
}
