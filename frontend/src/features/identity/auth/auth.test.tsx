import { fireEvent, screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { queryClient } from '~/api/query'
import { i18n } from '~/i18n/i18n'
import { session } from '~/session/session'
import { renderApp } from '~/test/render'
import { db, server } from '~/test/server'

async function signIn(user: ReturnType<typeof renderApp>['user'], password: string) {
  await user.type(await screen.findByLabelText('E-Mail-Adresse'), 'admin@stalhof.example')
  await user.type(screen.getByLabelText('Passwort'), password)
  await user.click(screen.getByRole('button', { name: 'Anmelden' }))
}

it('keeps the token and returns to the requested page', async () => {
  const { user, path, search } = renderApp('/materials?f.name=C45', null)
  await signIn(user, 'profil-traeger-walzwerk')
  await waitFor(() => expect(path() + search()).toBe('/materials?f.name=C45'))
  expect(localStorage.getItem('serviceToken')).toBe('token-admin@stalhof.example')
})

it('reports wrong credentials', async () => {
  const { user } = renderApp('/login', null)
  await signIn(user, 'falsch')
  expect(await screen.findByRole('alert')).toHaveTextContent('Ihre Zugangsdaten sind ungültig.')
})

it('shows the waiting time after too many attempts', async () => {
  server.use(
    http.post('*/api/sessions', () =>
      HttpResponse.json({ code: 'too_many_attempts', message: '' }, { status: 429, headers: { 'retry-after': '12' } }),
    ),
  )
  const { user } = renderApp('/login', null)
  await signIn(user, 'x')
  expect(await screen.findByRole('alert')).toHaveTextContent('12 Sekunden')
})

it('warns of caps lock while the password is hidden', async () => {
  const { user } = renderApp('/login', null)
  const input = await screen.findByLabelText('Passwort')
  fireEvent.keyDown(input, { key: 'A', modifierCapsLock: true })
  expect(await screen.findByText('Feststelltaste ist aktiviert!')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Passwort anzeigen' }))
  expect(screen.queryByText('Feststelltaste ist aktiviert!')).not.toBeInTheDocument()
})

it('fills the form from a demo account', async () => {
  const { user } = renderApp('/login', null)
  await user.click(await screen.findByText('Demokonten'))
  await user.click(screen.getByRole('button', { name: /Clara Wismar/ }))
  expect(screen.getByLabelText('E-Mail-Adresse')).toHaveValue('mitarbeit@nordstahl.example')
})

it('redirects an ended session without input to the sign-in page, with a note', async () => {
  db.revokedTokens.add('token-admin@stalhof.example')
  const { path, router } = renderApp('/materials')
  await waitFor(() => expect(path()).toBe('/login'))
  expect(await screen.findByText('Ihre Sitzung ist abgelaufen, bitte melden Sie sich erneut an.')).toBeInTheDocument()
  expect(router.state.location.state).toMatchObject({ timedOut: true, from: '/materials' })
})

it.each([
  ['shop', /nicht über die Berechtigung auf den Adminbereich/, true],
  ['nobody', /weder Berechtigungen für den Admin Bereich/, false],
] as const)('shows %s the reason why the admin area is closed', async (userName, text, shop) => {
  renderApp('/home', userName)
  expect(await screen.findByText(text)).toBeInTheDocument()
  await waitFor(() => expect(screen.queryAllByRole('link', { name: 'Zum Shop' })).toHaveLength(shop ? 1 : 0))
  expect(screen.getByText(/^Angemeldet als .+@nordstahl\.example\)$/)).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Abmelden' })).toBeInTheDocument()
})

it('reports a path that does not exist', async () => {
  renderApp('/nowhere')
  expect(await screen.findByRole('heading', { name: 'Path not found' })).toBeInTheDocument()
})

it('signs out even if the server does not respond', async () => {
  server.use(http.delete('*/api/sessions/current', () => HttpResponse.error()))
  const { user, path } = renderApp('/home')
  await user.click(await screen.findByRole('button', { name: 'Mein Konto' }))
  await user.click(screen.getByRole('menuitem', { name: 'Abmelden' }))
  await waitFor(() => expect(path()).toBe('/login'))
  expect(session.get().token).toBeNull()
})

/** Simulates an event from another tab of the browser. */
const elsewhere = (key: string, newValue: string | null) => window.dispatchEvent(new StorageEvent('storage', { key, newValue }))

it('signs out with another tab, and discards cache and input', async () => {
  const { user, path } = renderApp('/materials/new')
  await user.type(await screen.findByLabelText('Name *'), 'S355')
  elsewhere('signedOut', '1')
  elsewhere('serviceToken', null)
  await waitFor(() => expect(path()).toBe('/login'))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  expect(session.get()).toEqual({ token: null, phase: 'out' })
  // the version of the server is not secret and stays cached
  const cachedQueries = queryClient.getQueryCache().findAll({ predicate: ({ queryKey }) => queryKey[0] !== 'edition' })
  expect(cachedQueries.map(({ queryKey }) => queryKey[1])).toEqual(['/api/config'])
})

it('keeps the input when another tab detects the end of the session', async () => {
  const { user, path } = renderApp('/materials/new')
  await user.type(await screen.findByLabelText('Name *'), 'S355')
  elsewhere('serviceToken', null)
  expect(await screen.findByRole('dialog', { name: 'Sitzung abgelaufen' })).toBeInTheDocument()
  expect(path()).toBe('/materials/new')
})

it('opens the sign-in page with a note when another tab detects the end of the session', async () => {
  const { path, router } = renderApp('/materials')
  await screen.findByRole('heading', { level: 1 })
  elsewhere('serviceToken', null)
  await waitFor(() => expect(path()).toBe('/login'))
  expect(router.state.location.state).toMatchObject({ timedOut: true, from: '/materials' })
})

it.each(['/', '/login', '/verification?token=lnk_x'])('redirects signed-in users from %s to the start page', async (address) => {
  const { path } = renderApp(address)
  await waitFor(() => expect(path()).toBe('/home'))
})

it('lets users with an expired session sign in, and returns them to their page', async () => {
  const { router, user, path } = renderApp('/home')
  await screen.findByRole('heading', { level: 1 })
  await router.navigate('/login', { state: { timedOut: true, from: '/materials' } })
  expect(await screen.findByText('Ihre Sitzung ist abgelaufen, bitte melden Sie sich erneut an.')).toBeInTheDocument()
  expect(path()).toBe('/login')
  // the message is about the old token, not about a new one
  await user.type(screen.getByLabelText('E-Mail-Adresse'), 'leitung@nordstahl.example')
  await user.type(screen.getByLabelText('Passwort'), 'profil-traeger-walzwerk')
  await user.click(screen.getByRole('button', { name: 'Anmelden' }))
  expect(screen.queryByText('Ihre Sitzung ist abgelaufen, bitte melden Sie sich erneut an.')).toBeNull()
  await waitFor(() => expect(path()).toBe('/materials'))
})

it('uses the language of the account if none has been chosen', async () => {
  Object.assign(db.users[0] ?? {}, { language: 'en' })
  renderApp('/home')
  expect(await screen.findByRole('button', { name: 'My account' })).toBeInTheDocument()
  await i18n.changeLanguage('de')
})
