import { $api, client, data } from '~/api/client'
import type { PersonalAccessToken, paths, TokenInput, TokenRotation } from '~/api/schema'
import { userRef } from '~/features/users/ref'
import { type ListState, listSpec, readListState, toWire } from '~/kit/list/list-state'

const LIST = '/api/admin/tokens'
const ONE = '/api/admin/tokens/{id}'
type Query = NonNullable<paths[typeof LIST]['get']['parameters']['query']>
export type TokenBody = Required<TokenInput>
export type RotationBody = Required<Omit<TokenRotation, 'version'>>

const filters = {
  name: { kind: 'text' },
  expires_at: { kind: 'date' },
  last_used_at: { kind: 'date' },
  created_at: { kind: 'date' },
} as const

const list = listSpec<Query>()
const rest = { sorts: ['name', 'created_at', 'expires_at', 'last_used_at'], defaultSort: '-created_at', search: 'name' } as const
export const ownTokenList = list({ filters, ...rest })
/** Of whoever may see tokens of others. */
export const tokenList = list({ filters: { ...filters, user_id: { kind: 'ref', source: userRef } }, ...rest })

const path = (id: number) => ({ params: { path: { id } } })

export const tokens = {
  keys: [
    ['get', LIST],
    ['get', ONE],
  ],
  list: (state: ListState) => $api.queryOptions('get', LIST, { params: { query: toWire<Query>(tokenList, state) } }),
  one: (id: number) => $api.queryOptions('get', ONE, path(id)),
  create: (body: TokenBody) => data(client.POST(LIST, { body })),
  /** Of a token that exists only the name changes. */
  update: (id: number, { name, version }: TokenBody & { version: number }): Promise<PersonalAccessToken> =>
    data(client.PUT(ONE, { ...path(id), body: { name, version } })),
  rotate: ({ id, version }: PersonalAccessToken, body: RotationBody) =>
    data(client.POST(`${ONE}/rotation`, { ...path(id), body: { ...body, version } })),
  remove: (id: number) => data(client.DELETE(ONE, path(id))),
}

export const preload = (search: string) => tokens.list(readListState(tokenList, search))
