import { change } from '~/api/change'
import { $api, client, data } from '~/api/client'
import type { SavedViewInput } from '~/api/schema'
import type { Namespace } from '~/i18n/namespaces'

const VIEWS = '/api/admin/views'
const VIEW = '/api/admin/views/{id}'

export const views = {
  list: (list: Namespace) => $api.queryOptions('get', VIEWS, { params: { query: { list } } }, { staleTime: 60_000 }),
  create: (body: SavedViewInput) => change(data(client.POST(VIEWS, { body }))),
  update: (id: number, body: SavedViewInput) => change(data(client.PUT(VIEW, { params: { path: { id } }, body }))),
  remove: (id: number) => change(data(client.DELETE(VIEW, { params: { path: { id } } }))),
  choose: (list: Namespace, view_id: number | null) => change(data(client.PUT('/api/admin/views/default', { body: { list, view_id } }))),
}
