import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { requests, server } from '~/test/server'

const LINK = '*/api/email-undo/abc'
const ADDRESS = '/email-undo?id=abc#lnk_good'

const problem = (status: number, code: string, message: string) =>
  HttpResponse.json({ code, message, errors: null, request_id: 'r' }, { status })

function linked(state: 'open' | 'expired' | 'used' = 'open') {
  server.use(
    http.post(LINK, async ({ request }) =>
      ((await request.json()) as { secret: string }).secret === 'lnk_good'
        ? HttpResponse.json({
            state,
            former_email: 'eva@stalhof.example',
            email: 'dieb@example.com',
            changed_at: '2026-11-26T08:00:00Z',
            expires_at: '2026-12-03T08:00:00Z',
          })
        : problem(404, 'invalid_link', 'Dieser Link ist ungültig'),
    ),
  )
}

it('restores the former address on a click, and links to a new password', async () => {
  linked()
  server.use(
    http.put(LINK, () => HttpResponse.json({ email: 'eva@stalhof.example', password_reset: { id: 'def', secret: 'lnk_reset' } })),
    http.post('*/api/password-reset/def', () => HttpResponse.json({ email: 'eva@stalhof.example' })),
  )
  const { user, path } = renderApp(ADDRESS, null)
  expect(await screen.findByRole('heading', { name: 'Frühere E-Mail-Adresse wiederherstellen' })).toBeInTheDocument()
  expect(screen.getByText('dieb@example.com')).toBeVisible()
  expect(screen.getByText('eva@stalhof.example')).toBeVisible()
  expect(requests.filter((request) => request.startsWith('PUT'))).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Adresse wiederherstellen' }))
  expect(await screen.findByRole('heading', { name: 'Ihre frühere Adresse gilt wieder' })).toBeInTheDocument()
  await user.click(screen.getByRole('link', { name: 'Neues Passwort festlegen' }))
  await waitFor(() => expect(path()).toBe('/password-reset'))
  expect(await screen.findByRole('heading', { name: 'Neues Passwort' })).toBeInTheDocument()
  expect(requests.filter((request) => request.includes('lnk_'))).toEqual([])
})

it.each([
  ['expired', 'Dieser Link ist abgelaufen'],
  ['used', 'Dieser Link wurde schon verwendet'],
] as const)('explains a link that is %s', async (state, title) => {
  linked(state)
  renderApp(ADDRESS, null)
  expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Adresse wiederherstellen' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Zur Anmeldung' })).toHaveAttribute('href', '/login')
})

it.each(['/email-undo', '/email-undo?id=abc', '/email-undo?id=abc#lnk_bad'])('explains an invalid link: %s', async (address) => {
  linked()
  renderApp(address, null)
  expect(await screen.findByRole('heading', { name: 'Dieser Link ist ungültig' })).toBeInTheDocument()
})

it('shows what to do if another account has the address', async () => {
  linked()
  server.use(
    http.put(LINK, () => problem(409, 'former_email_taken', 'Ihre frühere E-Mail-Adresse gehört inzwischen zu einem anderen Konto.')),
  )
  const { user } = renderApp(ADDRESS, null)
  await user.click(await screen.findByRole('button', { name: 'Adresse wiederherstellen' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('gehört inzwischen zu einem anderen Konto')
})
