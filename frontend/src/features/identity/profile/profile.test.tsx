import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { i18n } from '~/i18n/i18n'
import { renderApp } from '~/test/render'
import { collectSavedFiles } from '~/test/saved-files'
import { db, requests, server } from '~/test/server'

const GOOD = 'walzwerk-nordwind-kantine'

const part = async (name: string) => within(await screen.findByRole('region', { name }))

it('is reached from the profile menu', async () => {
  const { user, path } = renderApp('/home')
  await user.click(await screen.findByRole('button', { name: 'Mein Konto' }))
  await user.click(screen.getByRole('menuitem', { name: 'Mein Konto' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Mein Konto' })).toBeInTheDocument()
  expect(path()).toBe('/profile')
})

it('saves name and language, and switches the language immediately', async () => {
  const { user } = renderApp('/profile')
  const person = await part('Persönliche Daten')
  expect(person.getByLabelText('E-Mail-Adresse')).toHaveAttribute('readonly')
  const save = person.getByRole('button', { name: 'Speichern' })
  expect(save).toBeDisabled()
  await user.clear(person.getByLabelText('Name *'))
  await waitFor(() => expect(save).toBeDisabled())
  await user.type(person.getByLabelText('Name *'), 'Anna Hansen-Petersen')
  await user.selectOptions(person.getByLabelText('Sprache *'), 'English')
  await user.click(save)
  expect(await screen.findByRole('heading', { level: 1, name: 'My account' })).toBeInTheDocument()
  expect(db.users[0]).toMatchObject({ name: 'Anna Hansen-Petersen', language: 'en', version: 2 })
  expect(localStorage.getItem('Language')).toBe('en')
  await i18n.changeLanguage('de')
})

it('saves the choice of mails about imports', async () => {
  const { user } = renderApp('/profile')
  const person = await part('Persönliche Daten')
  await user.selectOptions(person.getByLabelText('E-Mails zu Importen und Dateiabrufen *'), 'Immer')
  await user.click(person.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(db.users[0]).toMatchObject({ import_notices: 'always' }))
})

it('shows who has changed the e-mail address, and that it was undone', async () => {
  const change = { former_email: 'a@x.example', new_email: 'b@x.example', changed_at: '2026-11-27T08:00:00Z' }
  const data = [
    { ...change, own: false, changed_by: 'Max Admin', undone_at: '2026-11-27T09:00:00Z' },
    { ...change, changed_at: '2026-11-20T08:00:00Z', own: true, changed_by: 'Anna Hansen', undone_at: null },
  ]
  server.use(http.get('*/api/users/me/email-changes', () => HttpResponse.json({ data })))
  renderApp('/profile')
  const list = within(await screen.findByRole('region', { name: 'Änderungen der E-Mail-Adresse' }))
  const [first, second] = list.getAllByRole('listitem')
  expect(first).toHaveTextContent(/Von a@x.example auf b@x.example.*geändert von Max Admin · rückgängig gemacht am/)
  expect(second).toHaveTextContent(/von Ihnen selbst geändert$/)
})

it('reports a change by another user, and saves based on it', async () => {
  const { user } = renderApp('/profile')
  const person = await part('Persönliche Daten')
  await user.type(person.getByLabelText('Name *'), ' X')
  Object.assign(db.users[0] ?? {}, { version: 7 })
  await user.click(person.getByRole('button', { name: 'Speichern' }))
  expect(await person.findByText(/inzwischen geändert/)).toBeInTheDocument()
  await waitFor(() => expect(requests.filter((request) => request === 'GET /api/users/me').length).toBeGreaterThan(1))
  await user.click(person.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(db.users[0]).toMatchObject({ name: 'Anna Hansen X', version: 8 }))
})

it('changes the password and clears the input', async () => {
  const { user } = renderApp('/profile')
  const card = await part('Passwort')
  const submit = card.getByRole('button', { name: 'Passwort ändern' })
  expect(submit).toBeDisabled()
  await user.type(card.getByLabelText('Aktuelles Passwort'), 'profil-traeger-walzwerk')
  await user.type(card.getByLabelText('Neues Passwort'), GOOD)
  await user.type(card.getByLabelText('Neues Passwort wiederholen'), GOOD)
  await waitFor(() => expect(submit).toBeEnabled())
  await user.click(submit)
  expect(await screen.findByText('Ihr Passwort wurde aktualisiert')).toBeInTheDocument()
  for (const label of ['Aktuelles Passwort', 'Neues Passwort', 'Neues Passwort wiederholen']) {
    expect(card.getByLabelText(label)).toHaveValue('')
  }
  // sessions on other devices have ended
  const sessions = await part('Sitzungen')
  await waitFor(() => expect(sessions.getAllByRole('listitem')).toHaveLength(1))
})

it('shows errors of a password once its field has been left', async () => {
  const { user } = renderApp('/profile')
  const card = await part('Passwort')
  await user.type(card.getByLabelText('Neues Passwort'), 'password1234')
  expect(await card.findByText('Nehmen Sie ein oder zwei Wörter hinzu.')).toBeInTheDocument()
  expect(card.queryByText('Ihr Passwort ist nicht stark genug')).not.toBeInTheDocument()
  await user.type(card.getByLabelText('Neues Passwort wiederholen'), 'password2')
  expect(await card.findByText('Ihr Passwort ist nicht stark genug')).toBeInTheDocument()
  await user.click(card.getByLabelText('Aktuelles Passwort'))
  expect(await card.findByText(/Die Passwörter stimmen nicht überein/)).toBeInTheDocument()
  await user.tab()
  await user.tab()
  expect(await card.findByText('Pflichtfeld')).toBeInTheDocument()
  expect(card.getByRole('button', { name: 'Passwort ändern' })).toBeDisabled()
  expect(requests.filter((request) => request.startsWith('PUT'))).toEqual([])
})

it('shows errors of the server at the field or above the form, and keeps the input', async () => {
  const { user } = renderApp('/profile')
  const card = await part('Passwort')
  await user.type(card.getByLabelText('Aktuelles Passwort'), 'falsch')
  await user.type(card.getByLabelText('Neues Passwort'), GOOD)
  await user.type(card.getByLabelText('Neues Passwort wiederholen'), GOOD)
  await waitFor(() => expect(card.getByRole('button', { name: 'Passwort ändern' })).toBeEnabled())
  await user.click(card.getByRole('button', { name: 'Passwort ändern' }))
  const current = card.getByLabelText('Aktuelles Passwort')
  await waitFor(() => expect(current).toHaveAccessibleDescription('Das aktuelle Passwort ist nicht richtig'))
  expect(current).toHaveFocus()
  expect(card.getByLabelText('Neues Passwort')).toHaveValue(GOOD)

  server.use(
    http.put('*/api/users/me/password', () =>
      HttpResponse.json(
        { code: 'too_many_attempts', message: 'Bitte in 8 Sekunden erneut.' },
        { status: 429, headers: { 'retry-after': '8' } },
      ),
    ),
  )
  await user.type(current, 'er')
  await user.click(card.getByRole('button', { name: 'Passwort ändern' }))
  expect(await card.findByText('Bitte in 8 Sekunden erneut.')).toBeInTheDocument()
})

it('lists the sessions of the user, and ends one', async () => {
  const { user } = renderApp('/profile')
  const card = await part('Sitzungen')
  expect(await card.findByText('Firefox unter Linux')).toBeInTheDocument()
  expect(card.getByText('Diese Sitzung')).toBeInTheDocument()
  await user.click(card.getByRole('button', { name: 'Sitzung beenden: Safari unter iPhone' }))
  await waitFor(() => expect(card.queryByText('Safari unter iPhone')).not.toBeInTheDocument())
  expect(card.getByText('curl')).toBeInTheDocument()
})

it('ends all other sessions after confirmation', async () => {
  const { user } = renderApp('/profile')
  const card = await part('Sitzungen')
  await user.click(await card.findByRole('button', { name: 'Alle anderen Sitzungen beenden' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Alle anderen Sitzungen beenden' }))
  await waitFor(() => expect(card.getAllByRole('listitem')).toHaveLength(1))
  await waitFor(() => expect(requests).toContain('DELETE /api/sessions/others'))
})

it('saves the language that is chosen in the top bar', async () => {
  const { user } = renderApp('/home')
  await user.click(await screen.findByRole('button', { name: 'Sprache wechseln: English' }))
  expect(await screen.findByRole('button', { name: 'My account' })).toBeInTheDocument()
  await waitFor(() => expect(db.users[0]?.language).toBe('en'))
  await i18n.changeLanguage('de')
})

it('downloads the data of the user', async () => {
  const saved = collectSavedFiles()
  const { user } = renderApp('/profile')
  const card = await part('Ihre Daten')
  await user.click(card.getByRole('button', { name: 'Meine Daten herunterladen' }))
  expect(await screen.findByText('Ihre Daten wurden heruntergeladen.')).toBeInTheDocument()
  expect(saved).toEqual(['Personenbezogene Daten 1.json'])
})
