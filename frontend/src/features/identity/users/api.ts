import { change } from '~/api/change'
import { $api, client, data } from '~/api/client'
import { download, FILE } from '~/api/download'
import { type User, userStatusValues } from '~/api/schema'
import { roleRef } from '~/features/identity/roles/ref'
import { tenantRef } from '~/features/identity/tenants/ref'
import { crud } from '~/kit/records/crud'
import type { ListState } from '~/kit/table/list-state'
import type { UserBody } from './schema'

const ONE = '/api/admin/users/{id}'
const INVITE = '/api/admin/users/{id}/invite'

/** Polling interval in milliseconds while an invitation waits to be sent. */
const POLL = 10_000

const path = (id: number) => ({ params: { path: { id } } })

const base = crud('/api/admin/users', {
  filters: {
    search: { kind: 'search' },
    name: { kind: 'text' },
    email: { kind: 'text' },
    status: { kind: 'enum', values: userStatusValues },
    tenant_id: { kind: 'ref', source: tenantRef, optional: true },
    role_id: { kind: 'ref', source: roleRef, optional: true },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'email', 'updated_at'],
  defaultSort: 'name',
  search: 'search',
})

export const users = {
  ...base,
  list: (state: ListState) => ({
    ...base.list(state),
    refetchInterval: ({ state: { data } }: { state: { data: { data: User[] } | undefined } }) =>
      data?.data.some(({ status }) => status === 'InvitationQueued') ? POLL : false,
  }),
  /** Changes a user; roles and permissions of the own account cannot be changed and are not sent. */
  update: (id: number, { name, email, role_ids, permissions, version }: UserBody & { version: number }, own: boolean) => {
    const rights = { role_ids, ...(permissions ? { permissions } : { narrowed: false }) }
    return change(data(client.PATCH(ONE, { ...path(id), body: { name, email, version, ...(!own && rights) } })))
  },
  disable: (id: number, disabled: boolean) => change(data(client.PATCH(ONE, { ...path(id), body: { disabled } }))),
  invite: (id: number) => change(data(client.POST(INVITE, path(id)))),
  revoke: (id: number) => change(data(client.DELETE(INVITE, path(id)))),
  sendReset: (id: number) => change(data(client.POST('/api/admin/users/{id}/password-reset', path(id)))),
  /** All data stored about the user, as a file. */
  data: (id: number) => download(client.GET('/api/admin/users/{id}/data', { ...path(id), ...FILE })),
  rights: (id: number) => $api.queryOptions('get', '/api/admin/users/{id}/rights', path(id)),
}
