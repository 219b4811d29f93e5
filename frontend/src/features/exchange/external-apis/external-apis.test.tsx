import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import axe from 'axe-core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ExternalApiTest } from '~/api/schema'
import { changeLanguage } from '~/i18n/i18n'
import { externalApiRow } from '~/test/fixtures/external-api-row'
import { renderApp } from '~/test/render'
import { db } from '~/test/server'
import { clearsApiSecret, type ExternalApiForm, endpointTestSettings, externalApiSchema, toForm } from './schema'

const PAGE = '/external-apis'
const field = (name: string) => screen.findByLabelText(name)
const tab = (name: RegExp | string) => screen.findByRole('tab', { name })
const card = async (name: string) => within(await screen.findByRole('region', { name }))

const answered = (part: Partial<ExternalApiTest> = {}): ExternalApiTest => ({
  request: {
    method: 'GET',
    url: 'https://erp.nordstahl.example/api/stock/HEB-200',
    headers: [{ name: 'authorization', value: 'Bearer ••••' }],
    body: null,
  },
  response: {
    status: 200,
    headers: [{ name: 'content-type', value: 'application/json' }],
    body: JSON.stringify(
      {
        article: { nr: 'HEB-200' },
        sites: [
          { site: 'DU', free: 12.5 },
          { site: 'HH', free: 3 },
        ],
      },
      null,
      2,
    ),
    truncated: false,
    duration_ms: 412,
  },
  failure: null,
  lines: [{ number: null, warehouse: 'DU', quantity: '12.5', unit: null, name: null, gtin: null, fault: null }],
  line_count: 1,
  ...part,
})

async function begin(user: UserEvent) {
  await user.click(await screen.findByRole('button', { name: 'Externe API einrichten' }))
  await user.type(await field('Basisadresse *'), 'https://erp.nordstahl.example/api')
  await user.type(await field('Token'), 'geheim')
  await user.click(await tab('Verfügbarkeit'))
  const part = await card('Verfügbarkeit')
  await user.click(part.getByLabelText('Diese Abfrage nutzen'))
  await user.click(part.getByLabelText('Pfad *'))
  await user.paste('stock/{article_number}')
  return part
}

beforeEach(() => changeLanguage('de'))

describe('the page', () => {
  it('connects an API by selecting values in its answer, before anything is saved', async () => {
    db.externalApiTest = answered()
    const { user } = renderApp(PAGE, 'tenantAdmin')
    const part = await begin(user)
    await user.type(await part.findByLabelText('Artikelnummer für den Test *'), 'HEB-200')
    await user.click(part.getByRole('button', { name: 'Abfrage testen' }))
    expect(await part.findByText('Antwort mit Status 200 nach 0,41 s')).toBeInTheDocument()
    expect(db.externalApiTested).toMatchObject({
      endpoint: 'availability',
      id: null,
      article_number: 'HEB-200',
      warehouse: null,
      settings: { secret: 'geheim', availability: { path: 'stock/{article_number}', quantity: '' } },
    })
    expect(part.getByText(/authorization: Bearer ••••/)).toBeInTheDocument()
    expect(part.getByText('Zeigen Sie in der Antwort zuerst auf: Menge.')).toBeInTheDocument()
    // a click maps the next missing field, the menu of a value offers all of them
    await user.click(await part.findByText('12.5'))
    expect(part.getByLabelText('Menge *')).toHaveValue('/free')
    expect(part.getByLabelText('Liste der Einträge')).toHaveValue('/sites')
    await user.click(part.getAllByRole('button', { name: /site/ })[0] as HTMLElement)
    await user.click(await screen.findByRole('menuitem', { name: 'Das ist das Lager' }))
    expect(part.getByLabelText('Lager')).toHaveValue('/site')
    // read from the shown response, without another test
    expect(part.getByText(/^2 Zeilen nach der geänderten Zuordnung/)).toBeInTheDocument()
    expect(part.getByText('HH · 3')).toBeInTheDocument()
    await user.click(part.getByRole('button', { name: 'Abfrage testen' }))
    await waitFor(() =>
      expect(db.externalApiTested?.settings.availability).toMatchObject({ list: '/sites', quantity: '/free', warehouse: '/site' }),
    )
    expect(await part.findByText('DU · 12,5')).toBeInTheDocument()
    expect(db.externalApis).toHaveLength(0)
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(db.externalApis).toHaveLength(1))
    expect(db.externalApis[0]).toMatchObject({
      secret_set: true,
      timeout_ms: 3000,
      availability: { list: '/sites', quantity: '/free', warehouse: '/site', article_number: null, lines_max: 1, body: null },
      meta_data: { articles: null, warehouses: null, tenants: null },
    })
  })

  it('reports cleared fields when another list is selected, and can undo it', async () => {
    db.externalApiTest = answered()
    db.externalApis.push(externalApiRow())
    const { user } = renderApp(PAGE, 'tenantAdmin')
    await user.click(await tab('Verfügbarkeit'))
    const part = await card('Verfügbarkeit')
    await user.type(await part.findByLabelText('Artikelnummer für den Test *'), 'HEB-200{Enter}')
    expect(await part.findByText('DU · 12,5')).toBeInTheDocument()
    await user.click(part.getByRole('button', { name: /nr/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Das ist die Artikelnummer' }))
    expect(part.getByLabelText('Artikelnummer')).toHaveValue('/article/nr')
    expect(part.getByLabelText('Menge *')).toHaveValue('')
    expect(await screen.findByText('Der Wert steht in einer anderen Liste. Geleert wurde: Menge und Lager.')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Rückgängig' }))
    expect(part.getByLabelText('Artikelnummer')).toHaveValue('')
    expect(part.getByLabelText('Menge *')).toHaveValue('/free')
    expect(part.getByLabelText('Liste der Einträge')).toHaveValue('/sites')
    // the tested lines are shown again
    expect(part.getByText('DU · 12,5')).toBeInTheDocument()
  })

  it('selects values by keyboard', async () => {
    db.externalApiTest = answered()
    db.externalApis.push(externalApiRow({ availability: null }))
    const { user } = renderApp(PAGE, 'tenantAdmin')
    await user.click(await tab('Verfügbarkeit'))
    const part = await card('Verfügbarkeit')
    await user.click(part.getByLabelText('Diese Abfrage nutzen'))
    await user.click(part.getByLabelText('Pfad *'))
    await user.paste('stock/{article_number}')
    await user.type(await part.findByLabelText('Artikelnummer für den Test *'), 'HEB-200{Enter}')
    const tree = await part.findByRole('tree', { name: 'Antwort' })
    within(tree).getAllByRole('treeitem')[0]?.focus()
    await user.keyboard('free{Enter}')
    expect(part.getByLabelText('Menge *')).toHaveValue('/free')
  })

  it('opens the tab with a missing field', async () => {
    const { user } = renderApp(PAGE, 'tenantAdmin')
    const part = await begin(user)
    await user.click(await tab('Verbindung'))
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(async () => expect(await tab(/Verfügbarkeit/)).toHaveAttribute('aria-selected', 'true'))
    expect(part.getByLabelText('Menge *')).toHaveAccessibleDescription('Pflichtfeld')
    expect(await tab(/Bitte prüfen/)).toHaveTextContent('Verfügbarkeit')
    expect(db.externalApis).toHaveLength(0)
  })

  it('shows the end of the pause of a failing API, and retries on demand', async () => {
    const failure = { at: '2026-11-28T08:05:00Z', code: 'remote_timed_out' as never, text: 'Der Server hat nicht rechtzeitig geantwortet.' }
    db.externalApis.push(
      externalApiRow({
        state: { status: 'open', failures_in_row: 5, open_until: '2026-11-28T08:06:00Z', last_success_at: null, last_failure: failure },
      }),
    )
    const { user } = renderApp(PAGE, 'tenantAdmin')
    const state = await card('Zustand')
    expect(state.getByText(/Nach 5 Fehlern in Folge wird bis Sa 28\.11\.2026 09:06 Uhr nicht mehr gefragt/)).toBeInTheDocument()
    expect(state.getByText(/Der Server hat nicht rechtzeitig geantwortet/)).toBeInTheDocument()
    await user.click(state.getByRole('button', { name: 'Jetzt erneut versuchen' }))
    expect(await state.findByText(/Fehler in Folge: 5/)).toBeInTheDocument()
    expect(state.queryByRole('button')).not.toBeInTheDocument()
  })

  it('lists the last calls', async () => {
    db.externalApis.push(externalApiRow())
    const call = { purpose: 'availability', method: 'GET', path: '/api/stock/HEB-200', duration_ms: 412 } as const
    db.externalApiCalls = [
      { ...call, at: '2026-11-28T08:01:00Z', status: null, lines: 0, failure: 'Keine Antwort.' },
      { ...call, at: '2026-11-28T08:00:00Z', status: 200, lines: 2, failure: null },
    ]
    const { user } = renderApp(PAGE, 'tenantAdmin')
    await user.click(await tab('Aufrufe'))
    const [failed, done] = within(await screen.findByRole('list', { name: 'Aufrufe' })).getAllByRole('listitem')
    expect(failed).toHaveTextContent('Sa 28.11.2026 09:01 Uhr GET /api/stock/HEB-200Verfügbarkeit · 0,41 sKeine Antwort.')
    expect(done).toHaveTextContent('Verfügbarkeit · Status 200 · 0,41 s · 2 Zeilen')
  })

  it('has no accessibility violations', async () => {
    db.externalApis.push(externalApiRow())
    db.externalApiTest = answered({ failure: 'Der Server lehnt die Anmeldung ab.' })
    const { user, container } = renderApp(PAGE, 'tenantAdmin')
    await user.click(await tab('Verfügbarkeit'))
    const part = await card('Verfügbarkeit')
    await user.type(await part.findByLabelText('Artikelnummer für den Test *'), 'HEB-200{Enter}')
    await part.findByRole('tree')
    const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  })
})

it('a stored secret is removed after confirmation', async () => {
  db.externalApis.push(externalApiRow())
  const { user } = renderApp(PAGE, 'tenantAdmin')
  await user.click(await screen.findByRole('button', { name: 'Zugangsdaten entfernen' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Entfernen' }))
  await waitFor(() => expect(db.externalApis[0]?.secret_set).toBe(false))
})

describe('the form', () => {
  const form = (part: Partial<ExternalApiForm> = {}): ExternalApiForm => ({ ...toForm(externalApiRow()), ...part })
  const problems = (part: Partial<ExternalApiForm>) =>
    externalApiSchema.safeParse(form(part)).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []
  const availability = (part: Partial<ExternalApiForm['availability']>) => ({ availability: { ...form().availability, ...part } })

  it('restores saved settings', () => {
    const row = externalApiRow({
      availability: {
        ...externalApiRow().availability,
        method: 'POST',
        body: '["{article_number}"]',
        lines_max: 50,
        article_number: '',
      } as never,
    })
    expect(externalApiSchema.safeParse(toForm(row)).data).toMatchObject({ availability: row.availability, meta_data: row.meta_data })
  })

  it('validates the fields that the settings require', () => {
    expect(problems({})).toEqual([])
    expect(problems({ base_url: 'http://erp.example' })).toEqual([['base_url', 'externalApis:rules.https']])
    expect(problems({ authentication: 'oauth2' })).toEqual([
      ['username', 'required'],
      ['token_url', 'required'],
    ])
    expect(problems({ timeout_ms: '10001' })).toEqual([['timeout_ms', 'externalApis:rules.atMost?max=10000']])
    expect(problems(availability({ quantity: 'free' }))).toEqual([['availability.quantity', 'externalApis:rules.pointer']])
    expect(problems(availability({ quantity: '' }))).toEqual([['availability.quantity', 'required']])
    expect(problems(availability({ lines_max: '2' }))).toEqual([['availability.article_number', 'required']])
    expect(problems(availability({ method: 'POST', body: '{' }))).toEqual([['availability.body', 'externalApis:rules.json']])
    // a disabled endpoint is not sent
    expect(problems(availability({ enabled: false, path: '', quantity: 'x' }))).toEqual([])
  })

  it('tests one request without its mapping, and no others', () => {
    const settings = endpointTestSettings(form({ ...availability({ quantity: '', lines_max: '9' }), cache_seconds: 'x' }), 'availability')
    expect(settings?.availability).toMatchObject({ quantity: '', article_number: '' })
    expect(endpointTestSettings(form({ base_url: '' }), 'availability')).toBeNull()
    const articles = { ...form().meta_data.articles, path: 'articles' }
    const listed = endpointTestSettings(form({ meta_data: { ...form().meta_data, articles } }), 'articles')
    expect(listed).toMatchObject({ availability: null, meta_data: { articles: { path: 'articles', number: '' }, warehouses: null } })
  })

  it('loses a secret with another address or authentication, unless it is entered again', () => {
    const row = externalApiRow({ authentication: 'basic', username: 'nord' })
    const lost = (change: Partial<ExternalApiForm>) => clearsApiSecret(row, { ...toForm(row), ...change })
    expect([{}, { base_url: 'https://ERP.nordstahl.example/v2' }, { header_name: 'x' }].map(lost)).toEqual([false, false, false])
    const changes = [{ base_url: 'https://other.example' }, { authentication: 'bearer' as const }, { username: 'x' }]
    expect(changes.map(lost)).toEqual([true, true, true])
    expect(changes.map((change) => lost({ ...change, secret: 'neu' }))).toEqual([false, false, false])
  })
})
