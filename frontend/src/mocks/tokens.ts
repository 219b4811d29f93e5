import { HttpResponse, type RequestHandler } from 'msw'
import type { IssuedToken, PersonalAccessToken, TokenInput, TokenRotation } from '~/api/schema'
import { crud } from './crud'
import { http, type Mock, problem } from './server'

/** Personal access tokens. */
export function tokens(mock: Mock): RequestHandler[] {
  const { db, guarded } = mock
  return [
    http.post(
      '/api/admin/tokens',
      guarded('token.create', async ({ request, user }) => {
        const { name, abilities, expires_at } = (await request.json()) as Required<TokenInput>
        if (db.tokens.some((token) => token.name === name))
          return problem(422, 'invalid', 'Bitte prüfen Sie Ihre Angaben.', { name: ['Bereits vergeben'] })
        const template = db.tokens[0] as PersonalAccessToken
        const owner = { id: user.id, name: user.name }
        const token = {
          ...template,
          id: db.tokens.length + 1,
          name,
          abilities,
          expires_at: expires_at ?? template.expires_at,
          user: owner,
          own: true,
        }
        db.tokens.push(token)
        return HttpResponse.json<IssuedToken>({ token, plain_text: `pat_Ab3x${'x'.repeat(41)}001Z` }, { status: 201 })
      }),
    ),
    http.post(
      '/api/admin/tokens/{id}/rotation',
      guarded('token.create', async ({ request, params }) => {
        const { expires_at, overlap_hours, version } = (await request.json()) as TokenRotation
        const old = db.tokens.find(({ id }) => id === Number(params.id))
        if (!old) return problem(404, 'not_found', 'Der Eintrag wurde nicht gefunden.')
        if (version !== old.version) return problem(409, 'stale', 'Der Eintrag wurde inzwischen geändert.')
        const token = { ...old, id: db.tokens.length + 1, version: 1, expires_at: expires_at ?? old.expires_at }
        const until = new Date(Date.now() + (overlap_hours ?? 24) * 60 * 60_000).toISOString()
        Object.assign(old, { replaced_at: new Date().toISOString(), expires_at: until, version: old.version + 1 })
        db.tokens.push(token)
        return HttpResponse.json<IssuedToken>({ token, plain_text: `pat_Ab3x${'y'.repeat(41)}002Z` }, { status: 201 })
      }),
    ),
    ...crud(mock, '/api/admin/tokens', {
      rows: () => db.tokens,
      right: 'token',
      sort: 'name',
      textFields: ['name'],
      row({ name }, before) {
        if (!before) throw new Error('tokens are issued above')
        return { ...before, name }
      },
    }),
  ]
}
