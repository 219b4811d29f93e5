import { $api, client, data } from '~/api/client'
import type { SavedViewInput } from '~/api/schema'
import type { Namespace } from '~/i18n/namespaces'

const VIEWS = '/api/admin/views'
const VIEW = '/api/admin/views/{id}'

export const views = {
  keys: [['get', VIEWS]],
  list: (list: Namespace) => $api.queryOptions('get', VIEWS, { params: { query: { list } } }, { staleTime: 60_000 }),
  create: (body: SavedViewInput) => data(client.POST(VIEWS, { body })),
  update: (id: number, body: SavedViewInput) => data(client.PUT(VIEW, { params: { path: { id } }, body })),
  remove: (id: number) => data(client.DELETE(VIEW, { params: { path: { id } } })),
  choose: (list: Namespace, view_id: number | null) => data(client.PUT('/api/admin/views/default', { body: { list, view_id } })),
}
