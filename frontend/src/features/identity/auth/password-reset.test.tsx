import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { requests, server } from '~/test/server'

const GOOD = 'amboss-nebel-kran-17'
const EMAIL = 'adele@stalhof.example'
const LINK = '*/api/password-reset/abc'
const invalid = () =>
  HttpResponse.json({ code: 'invalid_link', message: 'Dieser Link ist ungültig', errors: null, request_id: 'r' }, { status: 404 })

/** Sets up a server that expects the secret in the body of each call. */
function linked() {
  const read = async (request: Request) => (await request.json()) as { secret: string; password: string }
  server.use(
    http.post(LINK, async ({ request }) => ((await read(request)).secret === 'lnk_good' ? HttpResponse.json({ email: EMAIL }) : invalid())),
    http.post(`${LINK}/strength`, async ({ request }) => {
      const { password } = await read(request)
      return HttpResponse.json(
        password === GOOD
          ? { score: 4, enough: true, warning: null, suggestions: [] }
          : { score: 1, enough: false, warning: null, suggestions: [] },
      )
    }),
    http.put(LINK, async ({ request }) => {
      const { secret, password } = await read(request)
      if (secret !== 'lnk_good') return invalid()
      if (password === GOOD) return new HttpResponse(null, { status: 204 })
      const errors = { password: ['Bitte wählen Sie ein anderes Passwort als bisher'] }
      return HttpResponse.json({ code: 'invalid', message: '', errors, request_id: 'r' }, { status: 422 })
    }),
  )
}

async function fill(user: ReturnType<typeof renderApp>['user'], password: string) {
  await user.clear(await screen.findByLabelText('Neues Passwort'))
  await user.type(screen.getByLabelText('Neues Passwort'), password)
  await user.clear(screen.getByLabelText('Passwort wiederholen'))
  await user.type(screen.getByLabelText('Passwort wiederholen'), password)
  await user.click(screen.getByRole('button', { name: 'Passwort festlegen' }))
}

it('sends a mail from the sign-in page, with the typed address', async () => {
  const { user, path } = renderApp('/login', null)
  await user.type(await screen.findByLabelText('E-Mail-Adresse'), EMAIL)
  await user.click(screen.getByRole('link', { name: 'Passwort vergessen?' }))
  expect(await screen.findByRole('heading', { name: 'Passwort vergessen' })).toBeInTheDocument()
  expect(screen.getByLabelText('E-Mail-Adresse')).toHaveValue(EMAIL)
  await user.click(screen.getByRole('button', { name: 'Link anfordern' }))
  await waitFor(() => expect(path()).toBe('/check-mail'))
  expect(await screen.findByText(new RegExp(`Wenn es zu ${EMAIL} ein Konto gibt`))).toBeInTheDocument()
  await user.click(screen.getByRole('link', { name: 'Erneut anfordern' }))
  expect(await screen.findByLabelText('E-Mail-Adresse')).toHaveValue(EMAIL)
})

it('sends nothing without an address, and reports too many requests', async () => {
  server.use(
    http.post('*/api/password-reset', () =>
      HttpResponse.json(
        { code: 'too_many_requests', message: 'Das wurde zu oft angefordert.' },
        { status: 429, headers: { 'retry-after': '60' } },
      ),
    ),
  )
  const { user } = renderApp('/forgot-password', null)
  const email = await screen.findByLabelText('E-Mail-Adresse')
  await user.click(screen.getByRole('button', { name: 'Link anfordern' }))
  expect(email).toHaveAccessibleDescription('Pflichtfeld')
  await user.type(email, 'adele')
  expect(email).toHaveAccessibleDescription('Bitte geben Sie eine gültige E-Mail-Adresse an')
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual([])
  await user.type(email, '@stalhof.example')
  await user.click(screen.getByRole('button', { name: 'Link anfordern' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('zu oft angefordert')
  expect(email).toHaveValue(EMAIL)
})

it('sets a new password and opens the sign-in page', async () => {
  linked()
  const { user, path } = renderApp('/password-reset?id=abc#lnk_good', null)
  expect(await screen.findByRole('heading', { name: 'Neues Passwort' })).toBeInTheDocument()
  expect(screen.getByLabelText('E-Mail-Adresse')).toHaveValue(EMAIL)
  await fill(user, 'profil-traeger-walzwerk')
  await waitFor(() =>
    expect(screen.getByLabelText('Neues Passwort')).toHaveAccessibleDescription('Bitte wählen Sie ein anderes Passwort als bisher'),
  )
  await fill(user, GOOD)
  expect(await screen.findByRole('heading', { name: 'Ihr Passwort ist geändert' })).toBeInTheDocument()
  await user.click(screen.getByRole('link', { name: 'Zur Anmeldung' }))
  await waitFor(() => expect(path()).toBe('/login'))
  expect(await screen.findByLabelText('E-Mail-Adresse')).toHaveValue(EMAIL)
  expect(requests.filter((request) => request.includes('lnk_good'))).toEqual([])
})

it.each(['/password-reset', '/password-reset?id=abc', '/password-reset?id=abc#lnk_used', '/password-reset#lnk_good'])(
  'explains an invalid link: %s',
  async (address) => {
    linked()
    renderApp(address, null)
    expect(await screen.findByRole('heading', { name: 'Dieser Link ist ungültig' })).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Neuen Link anfordern' })).toHaveAttribute('href', '/forgot-password')
    expect(screen.getByRole('link', { name: 'Zur Anmeldung' })).toHaveAttribute('href', '/login')
  },
)

it('shows the mails of a demo, and opens their links on this server', async () => {
  linked()
  const mail = {
    id: 1,
    address: EMAIL,
    subject: 'Neues Passwort für Stalhof',
    text: 'Guten Tag,\n\nhttp://127.0.0.1:8080/password-reset?id=abc#lnk_good',
    link: 'http://127.0.0.1:8080/password-reset?id=abc#lnk_good',
    sent_at: '2026-11-22T01:00:00Z',
  }
  let mails: (typeof mail)[] = []
  server.use(http.get('*/api/demo/mails', () => HttpResponse.json({ data: mails })))
  const { user, path } = renderApp('/login', null)
  await user.click(await screen.findByRole('button', { name: 'E-Mails der Demo' }))
  expect(await screen.findByText(/Noch keine E-Mails/)).toBeInTheDocument()
  mails = [mail]
  await user.click(await screen.findByRole('link', { name: 'Link öffnen' }))
  await waitFor(() => expect(path()).toBe('/password-reset'))
  expect(await screen.findByRole('heading', { name: 'Neues Passwort' })).toBeInTheDocument()
})
