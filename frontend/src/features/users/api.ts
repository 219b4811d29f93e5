import { $api, client, data } from '~/api/client'
import { download, FILE } from '~/api/download'
import { type paths, type User, type UserInput, userStatusValues } from '~/api/schema'
import { roleRef } from '~/features/roles/api'
import { tenantRef } from '~/features/tenants/ref'
import { exporter } from '~/kit/list/exporter'
import { type ListState, listSpec, readListState, toWire } from '~/kit/list/list-state'

const LIST = '/api/admin/users'
const ONE = '/api/admin/users/{id}'
const INVITE = '/api/admin/users/{id}/invite'
const RESET = '/api/admin/users/{id}/password-reset'
type Query = NonNullable<paths[typeof LIST]['get']['parameters']['query']>
export type UserBody = Required<UserInput>

/** While an invitation waits to be sent. */
const POLL = 10_000

export const userList = listSpec<Query>()({
  filters: {
    name: { kind: 'text' },
    email: { kind: 'text' },
    status: { kind: 'enum', values: userStatusValues },
    tenant_id: { kind: 'ref', source: tenantRef },
    role_id: { kind: 'ref', source: roleRef },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'email', 'updated_at'],
  defaultSort: 'name',
  search: 'name',
})

const path = (id: number) => ({ params: { path: { id } } })

export const users = {
  // roles say how many hold them
  keys: [
    ['get', LIST],
    ['get', ONE],
    ['get', '/api/admin/users/{id}/rights'],
    ['get', '/api/admin/roles'],
  ],
  list: (state: ListState) => ({
    ...$api.queryOptions('get', LIST, { params: { query: toWire<Query>(userList, state) } }),
    refetchInterval: ({ state: { data } }: { state: { data: { data: User[] } | undefined } }) =>
      data?.data.some(({ status }) => status === 'InvitationQueued') ? POLL : false,
  }),
  one: (id: number) => $api.queryOptions('get', ONE, path(id)),
  create: (body: UserBody) => data(client.POST(LIST, { body })),
  /** Of oneself only what is not about rights. */
  update: (id: number, { name, email, role_ids, permissions, version }: UserBody & { version: number }, own: boolean) => {
    const rights = { role_ids, ...(permissions ? { permissions } : { narrowed: false }) }
    return data(client.PATCH(ONE, { ...path(id), body: { name, email, version, ...(!own && rights) } }))
  },
  disable: (id: number, disabled: boolean) => data(client.PATCH(ONE, { ...path(id), body: { disabled } })),
  remove: (id: number) => data(client.DELETE(ONE, path(id))),
  invite: (id: number) => data(client.POST(INVITE, path(id))),
  revoke: (id: number) => data(client.DELETE(INVITE, path(id))),
  sendReset: (id: number) => data(client.POST(RESET, path(id))),
  /** Everything that is stored of him, as a file. */
  data: (id: number) => download(client.GET('/api/admin/users/{id}/data', { ...path(id), ...FILE })),
  rights: (id: number) => $api.queryOptions('get', '/api/admin/users/{id}/rights', path(id)),
  export: exporter(`${LIST}/export`, userList),
}

export const preload = (search: string) => users.list(readListState(userList, search))
