import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { requests, server } from '~/test/server'

const LINK = '*/api/verification/lnk_good'
const GOOD = 'amboss-nebel-kran-17'
const WEAK = { score: 1, enough: false, warning: 'Ein einzelnes Wort ist leicht zu erraten.', suggestions: ['Nehmen Sie ein Wort hinzu.'] }

function invited() {
  server.use(
    http.get(LINK, () => HttpResponse.json({ name: 'Adele Brandt', email: 'adele@stalhof.example' })),
    http.post(`${LINK}/strength`, async ({ request }) => {
      const { password } = (await request.json()) as { password: string }
      return HttpResponse.json(password === GOOD ? { score: 4, enough: true, warning: null, suggestions: [] } : WEAK)
    }),
    http.put(LINK, async ({ request }) => {
      const { password } = (await request.json()) as { password: string }
      if (password === GOOD) return new HttpResponse(null, { status: 204 })
      return HttpResponse.json(
        { code: 'invalid', message: '', errors: { password: ['Ihr Passwort ist nicht stark genug'] }, request_id: 'r' },
        { status: 422 },
      )
    }),
  )
  return renderApp('/verification?token=lnk_good', null)
}

async function fill(user: ReturnType<typeof renderApp>['user'], password: string, repeated = password) {
  await user.type(await screen.findByLabelText('Neues Passwort'), password)
  await user.type(screen.getByLabelText('Passwort wiederholen'), repeated)
  await user.click(screen.getByRole('button', { name: 'Passwort festlegen' }))
}
const sent = () => requests.filter((request) => request.startsWith('PUT'))

it('names the invited user, sets a password and opens the sign-in page', async () => {
  const { user, path } = invited()
  expect(await screen.findByRole('heading', { name: 'Willkommen, Adele Brandt' })).toBeInTheDocument()
  expect(screen.getByLabelText('E-Mail-Adresse')).toHaveValue('adele@stalhof.example')
  expect(screen.getByLabelText('Neues Passwort')).toHaveAccessibleDescription(/Mindestens 12 Zeichen/)
  await fill(user, GOOD)
  expect(await screen.findByRole('heading', { name: 'Ihr Konto ist eingerichtet' })).toBeInTheDocument()
  await user.click(screen.getByRole('link', { name: 'Zur Anmeldung' }))
  await waitFor(() => expect(path()).toBe('/login'))
  expect(await screen.findByLabelText('E-Mail-Adresse')).toHaveValue('adele@stalhof.example')
})

it('shows the strength of the password from the server', async () => {
  const { user } = invited()
  await user.type(await screen.findByLabelText('Neues Passwort'), 'adele')
  expect(await screen.findByText('Stärke: zu kurz, noch 7 Zeichen')).toBeInTheDocument()
  await user.type(screen.getByLabelText('Neues Passwort'), '1234567')
  expect(await screen.findByText('Stärke: schwach')).toBeInTheDocument()
  expect(screen.getByText('Nehmen Sie ein Wort hinzu.')).toBeInTheDocument()
  await user.clear(screen.getByLabelText('Neues Passwort'))
  await user.type(screen.getByLabelText('Neues Passwort'), GOOD)
  expect(await screen.findByText('Stärke: sehr stark')).toBeInTheDocument()
})

it('sends nothing while the passwords differ', async () => {
  const { user } = invited()
  await fill(user, GOOD, 'anders')
  expect(await screen.findByText(/Die Passwörter stimmen nicht überein/)).toBeInTheDocument()
  expect(screen.getByLabelText('Passwort wiederholen')).toHaveFocus()
  expect(sent()).toEqual([])
})

it('shows errors of the server at the field until the password changes', async () => {
  const { user } = invited()
  await fill(user, 'adele123')
  const password = screen.getByLabelText('Neues Passwort')
  await waitFor(() => expect(password).toHaveAccessibleDescription('Ihr Passwort ist nicht stark genug'))
  expect(password).toHaveFocus()
  await user.type(password, 'x')
  expect(password).toHaveAccessibleDescription(/Mindestens 12 Zeichen/)
})

it.each(['/verification', '/verification?token=lnk_used'])('explains an invalid link: %s', async (address) => {
  server.use(
    http.get('*/api/verification/lnk_used', () =>
      HttpResponse.json({ code: 'invalid_link', message: 'Dieser Link ist ungültig', errors: null, request_id: 'r' }, { status: 404 }),
    ),
  )
  renderApp(address, null)
  expect(await screen.findByRole('heading', { name: 'Dieser Link ist ungültig' })).toBeInTheDocument()
  expect(screen.getByText(/neue Einladung/)).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Zur Anmeldung' })).toHaveAttribute('href', '/login')
})
