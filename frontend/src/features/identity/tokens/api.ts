import { change } from '~/api/change'
import { client, data } from '~/api/client'
import type { PersonalAccessToken } from '~/api/schema'
import { userRef } from '~/features/identity/users/ref'
import { crud } from '~/kit/records/crud'
import type { ListSpec } from '~/kit/table/list-state'
import type { RotationBody, TokenBody } from './schema'

const ONE = '/api/admin/tokens/{id}'

const path = (id: number) => ({ params: { path: { id } } })

const base = crud('/api/admin/tokens', {
  filters: {
    name: { kind: 'text' },
    expires_at: { kind: 'date' },
    last_used_at: { kind: 'date', optional: true },
    created_at: { kind: 'date' },
    user_id: { kind: 'ref', source: userRef },
  },
  sorts: ['name', 'created_at', 'expires_at', 'last_used_at'],
  defaultSort: '-created_at',
  search: 'name',
})

export const tokens = {
  ...base,
  /** Changes the name, which is all that can be changed in an existing token. */
  update: (id: number, { name, version }: TokenBody & { version: number }) => base.update(id, { name, version }),
  rotate: ({ id, version }: PersonalAccessToken, body: RotationBody) =>
    change(data(client.POST(`${ONE}/rotation`, { ...path(id), body: { ...body, version } }))),
}

const { user_id: _, ...filters } = tokens.spec.filters
/** API for users who see only their own tokens. */
export const ownTokens = { ...tokens, spec: { ...tokens.spec, filters } satisfies ListSpec }
