import { fireEvent, screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { session } from '~/session/session'
import { renderApp } from '~/test/render'
import { db, server } from '~/test/server'

async function signIn(user: ReturnType<typeof renderApp>['user'], password: string) {
  await user.type(await screen.findByLabelText('E-Mail-Adresse'), 'admin@stalhof.example')
  await user.type(screen.getByLabelText('Passwort'), password)
  await user.click(screen.getByRole('button', { name: 'Anmelden' }))
}

it('keeps the token and returns to where one wanted to go', async () => {
  const { user, path, search } = renderApp('/materials?f.name=C45', null)
  await signIn(user, 'profil-traeger-walzwerk')
  await waitFor(() => expect(path() + search()).toBe('/materials?f.name=C45'))
  expect(localStorage.getItem('serviceToken')).toBe('token-admin@stalhof.example')
})

it('says that the credentials are wrong', async () => {
  const { user } = renderApp('/login', null)
  await signIn(user, 'falsch')
  expect(await screen.findByRole('alert')).toHaveTextContent('Ihre Zugangsdaten sind ungültig.')
})

it('says how long to wait after too many tries', async () => {
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

it('sends an ended session with nothing at stake to sign in, and says so', async () => {
  db.ended.add('token-admin@stalhof.example')
  const { path, router } = renderApp('/materials')
  await waitFor(() => expect(path()).toBe('/login'))
  expect(await screen.findByText('Ihre Sitzung ist abgelaufen, bitte melden Sie sich erneut an.')).toBeInTheDocument()
  expect(router.state.location.state).toMatchObject({ timedOut: true, from: '/materials' })
})

it.each([
  ['shop', /nicht über die Berechtigung auf den Adminbereich/, true],
  ['nobody', /weder Berechtigungen für den Admin Bereich/, false],
] as const)('shows %s why the admin area is closed', async (who, text, shop) => {
  renderApp('/home', who)
  expect(await screen.findByText(text)).toBeInTheDocument()
  await waitFor(() => expect(screen.queryAllByRole('link', { name: 'Zum Shop' })).toHaveLength(shop ? 1 : 0))
  expect(screen.getByRole('button', { name: 'Abmelden' })).toBeInTheDocument()
})

it('says when a path does not exist', async () => {
  renderApp('/nowhere')
  expect(await screen.findByRole('heading', { name: 'Path not found' })).toBeInTheDocument()
})

it('signs out even when the server does not answer', async () => {
  server.use(http.delete('*/api/sessions/current', () => HttpResponse.error()))
  const { user, path } = renderApp('/home')
  await user.click(await screen.findByRole('button', { name: 'Mein Konto' }))
  await user.click(screen.getByRole('menuitem', { name: 'Abmelden' }))
  await waitFor(() => expect(path()).toBe('/login'))
  expect(session.get().token).toBeNull()
})
