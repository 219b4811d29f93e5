import { $api } from '~/api/client'

/** Lights change while nobody does anything. */
const REFRESH = 60_000

export const feedsApi = {
  /** The feeds that the user sees, worst first. */
  all: () => ({ ...$api.queryOptions('get', '/api/admin/feeds'), refetchInterval: REFRESH }),
}
