import { $api } from '~/api/client'

/** Lights change without an action of the user. */
const REFRESH = 60_000

export const feedsApi = {
  /** The feeds that the user sees, worst first. */
  all: () => ({ ...$api.queryOptions('get', '/api/admin/feeds'), refetchInterval: REFRESH }),
}
