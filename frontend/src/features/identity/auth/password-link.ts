import { client, data } from '~/api/client'
import type { PasswordJudge } from '~/features/identity/shared/password-strength'

/** One-time link for setting a password. */
export interface PasswordLink extends PasswordJudge {
  set: (password: string) => Promise<unknown>
}

export function invitationLink(token: string): PasswordLink {
  const params = { path: { token } }
  return {
    key: token,
    rate: (password) => data(client.POST('/api/verification/{token}/strength', { params, body: { password } })),
    set: (password) => client.PUT('/api/verification/{token}', { params, body: { password } }),
  }
}

/** Link whose secret is after `#` and is only sent in request bodies, so that it is in no log. */
export function resetLink(id: string, secret: string): PasswordLink {
  const params = { path: { id } }
  return {
    key: id,
    rate: (password) => data(client.POST('/api/password-reset/{id}/strength', { params, body: { secret, password } })),
    set: (password) => client.PUT('/api/password-reset/{id}', { params, body: { secret, password } }),
  }
}
