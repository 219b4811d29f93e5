import { http as beside, HttpResponse, type RequestHandler } from 'msw'
import type { AccountPatch, CurrentUser, Import, PasswordDraft, PasswordInput, PasswordStrength } from '~/api/schema'
import { file, http, type Mock, ORIGIN, PASSWORD, problem, tokenOf } from './server'

const EMPTY = { data: [], meta: { current_page: 1, last_page: 1, per_page: 40, total: 0, from: null, to: null } }

/** Sign-in and the user's own account. */
export function account(mock: Mock): RequestHandler[] {
  const { db, guarded } = mock
  return [
    http.get('/api/config', () =>
      HttpResponse.json(
        {
          shop_url: 'https://shop.example',
          imprint_url: 'https://stalhof.example/imprint',
          privacy_url: null,
          demo: true,
          upload_max_mb: 50,
          time_zone: 'Europe/Berlin',
          demo_accounts: db.users.map(({ email, name }) => ({ email, description: name, password: PASSWORD })),
          flags: db.flags,
          links: [
            {
              title: { de: 'Warenwirtschaft', en: 'ERP' },
              url: 'https://erp.example',
              group: 'exchange',
              new_tab: true,
              disabled: false,
              permissions: ['import.list'],
              chip: { label: 'Test', color: 'info', avatar: 'T' },
            },
          ],
        },
        { headers: { 'set-cookie': 'XSRF-TOKEN=mock; Path=/; SameSite=Lax' } },
      ),
    ),
    // counted by the start page; both are empty
    http.get('/api/admin/stocks', () => HttpResponse.json(EMPTY)),
    http.get('/api/admin/prices', () => HttpResponse.json(EMPTY)),
    http.get('/api/admin/price-lists', () => HttpResponse.json(EMPTY)),
    beside.get(`${ORIGIN}/readyz`, () => new HttpResponse(null, { status: 204 })),
    http.post('/api/sessions', async ({ request }) => {
      const { email, password } = (await request.json()) as { email: string; password: string }
      const user = db.users.find((candidate) => candidate.email === email)
      if (!user || password !== PASSWORD) return problem(401, 'invalid_credentials', 'Ihre Zugangsdaten sind ungültig.')
      db.revokedTokens.delete(`token-${email}`)
      return HttpResponse.json({ session: { token: `token-${email}` } }, { status: 201 })
    }),
    http.post('/api/password-reset', () => new HttpResponse(null, { status: 202, headers: { 'content-length': '0' } })),
    http.get('/api/demo/mails', () => HttpResponse.json({ data: [] })),
    http.get(
      '/api/sessions/current',
      guarded(null, () => HttpResponse.json({ session: { expires_at: '2027-01-01T00:00:00Z', idle_expires_at: '2027-01-01T00:00:00Z' } })),
    ),
    http.delete(
      '/api/sessions/current',
      guarded(null, ({ request }) => {
        db.revokedTokens.add(tokenOf(request))
        return new HttpResponse(null, { status: 204 })
      }),
    ),
    http.get(
      '/api/users/me',
      guarded(null, ({ user }) => HttpResponse.json(user)),
    ),
    http.get(
      '/api/admin/attention',
      guarded('access-admin', () => {
        const countOf = (status: Import['status']) => db.imports.filter((row) => row.status === status).length
        return HttpResponse.json({
          data: [
            { about: 'failed_imports', count: countOf('Failed') },
            { about: 'partial_imports', count: 0 },
            { about: 'expired_invitations', count: 1000 },
            { about: 'shipping_findings', count: 2 },
          ],
        })
      }),
    ),
    http.get(
      '/api/users/me/data',
      guarded(null, () => file('Personenbezogene%20Daten%201.json', '{}')),
    ),
    http.get(
      '/api/users/me/email-changes',
      guarded(null, () => HttpResponse.json({ data: [] })),
    ),
    http.patch(
      '/api/users/me',
      guarded(null, async ({ request, user }) => {
        const { version, ...change } = (await request.json()) as AccountPatch
        if (version !== undefined && version !== user.version) return problem(409, 'stale', 'Der Eintrag wurde inzwischen geändert.')
        return HttpResponse.json<CurrentUser>(Object.assign(user, change, { version: user.version + 1 }))
      }),
    ),
    http.put(
      '/api/users/me/password',
      guarded(null, async ({ request }) => {
        const { current_password } = (await request.json()) as PasswordInput
        if (current_password !== PASSWORD) {
          return problem(422, 'invalid', '', { current_password: ['Das aktuelle Passwort ist nicht richtig'] })
        }
        db.sessions = db.sessions.filter(({ current }) => current)
        return new HttpResponse(null, { status: 204 })
      }),
    ),
    http.post(
      '/api/users/me/password/strength',
      guarded(null, async ({ request }) => {
        const { password } = (await request.json()) as PasswordDraft
        const enough = password.length > 15
        return HttpResponse.json<PasswordStrength>({
          score: enough ? 4 : 1,
          enough,
          warning: enough ? null : 'Das ähnelt einem häufig verwendeten Passwort.',
          suggestions: enough ? [] : ['Nehmen Sie ein oder zwei Wörter hinzu.'],
        })
      }),
    ),
    http.get(
      '/api/sessions',
      guarded(null, () => HttpResponse.json({ data: db.sessions })),
    ),
    http.delete(
      '/api/sessions/others',
      guarded(null, () => {
        db.sessions = db.sessions.filter(({ current }) => current)
        return new HttpResponse(null, { status: 204 })
      }),
    ),
    http.delete(
      '/api/sessions/{id}',
      guarded(null, ({ params }) => {
        db.sessions = db.sessions.filter(({ id }) => id !== Number(params.id))
        return new HttpResponse(null, { status: 204 })
      }),
    ),
  ]
}
