import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { queryClient } from '~/api/query'
import { renderApp } from '~/test/render'
import { requests, server } from '~/test/server'

const part = (name: string) => screen.findByRole('region', { name })
const none = () => HttpResponse.json({ data: [], meta: { current_page: 1, last_page: 1, per_page: 1, total: 0 } })

it('links to recently opened records, and forgets deleted ones', async () => {
  const { router, user, path } = renderApp('/materials/1')
  await screen.findByRole('dialog')
  const name = await screen.findByRole('textbox', { name: /Name/ })
  const label = (name as HTMLInputElement).value
  await router.navigate('/home?tenantId=2')
  await user.click(within(await part('Zuletzt geöffnet')).getByRole('link', { name: label }))
  expect(path()).toBe('/materials/1')

  server.use(http.get('*/api/admin/materials/1', () => HttpResponse.json({ code: 'not_found', message: 'weg' }, { status: 404 })))
  await router.navigate('/home')
  queryClient.removeQueries({ queryKey: ['get', '/api/admin/materials/{id}'] })
  await user.click(within(await part('Zuletzt geöffnet')).getByRole('link', { name: label }))
  await screen.findByText('Diesen Eintrag gibt es nicht (mehr).')
  await router.navigate('/home')
  expect(within(await part('Zuletzt geöffnet')).queryByRole('link')).toBeNull()
})

it('lists what needs attention, with links to the lists', async () => {
  renderApp('/home?tenantId=2')
  const attention = within(await part('Das wartet auf Sie'))
  const failed = await attention.findByRole('link', { name: /^\d+ Importe? der letzten sieben Tage/ })
  const to = new URL(failed.getAttribute('href') ?? '', 'http://localhost')
  expect(to.pathname).toBe('/imports')
  expect(to.searchParams.get('tenantId')).toBe('2')
  expect(to.searchParams.get('f.status')).toBe('Failed')
  expect(to.searchParams.get('f.updated_at.gte')).toMatch(/^\d{4}-\d\d-\d\d$/)
  const many = attention.getByRole('link', { name: '1.000+ Einladungen sind abgelaufen, ohne angenommen zu werden' })
  expect(many).toHaveAttribute('href', expect.stringContaining('f.status=InvitationExpired'))
  const findings = attention.getByRole('link', { name: '2 Auffälligkeiten im Streckennetz' })
  expect(findings).toHaveAttribute('href', '/shippingNodes/findings?tenantId=2')
  expect(attention.getAllByRole('listitem')).toHaveLength(3)
})

it('shows a friendly message if nothing needs attention', async () => {
  server.use(http.get('*/api/admin/attention', () => HttpResponse.json({ data: [{ about: 'held_prices', count: 0 }] })))
  renderApp('/home', 'tenantAdmin')
  const attention = within(await part('Das wartet auf Sie'))
  expect(await attention.findByText('Alles erledigt: Im Moment wartet nichts auf Sie.')).toBeInTheDocument()
  expect(attention.queryByText(/Mandanten/)).toBeNull()
})

it('shows imports that are running or need attention', async () => {
  renderApp('/home')
  const imports = await part('Importe')
  expect((await within(imports).findAllByRole('listitem')).length).toBeGreaterThan(0)
  const importsRequest = requests.find((request) => request.includes('filter[status]=Failed'))
  expect(importsRequest).toContain('filter[status]=Queued')
})

it('shows the first steps of an empty installation, and those of an empty tenant to their own users', async () => {
  server.use(http.get('*/api/admin/tenants', none))
  const { unmount } = renderApp('/home')
  const steps = await part('Erste Schritte')
  expect(await within(steps).findByRole('link', { name: 'Mandanten anlegen' })).toHaveAttribute('href', '/tenants/new')
  expect(await within(steps).findByRole('link', { name: 'Werkstoffe anlegen' })).toHaveAttribute('href', '/materials')
  unmount()
  renderApp('/home', 'tenantAdmin')
  const own = await part('Erste Schritte')
  expect(await within(own).findByRole('link', { name: 'Bestände anlegen oder importieren' })).toHaveAttribute('href', '/stocks/new')
  expect(within(own).queryByRole('link', { name: 'Werkstoffe anlegen' })).toBeNull()
  expect(within(own).queryByRole('button', { name: 'Stahlkatalog füllen' })).toBeNull()
})

it('fills the chosen parts of the steel catalogue', async () => {
  const bodies: unknown[] = []
  server.use(
    http.get('*/api/admin/tenants', none),
    http.post('*/api/admin/steel-catalogue', async ({ request }) => {
      bodies.push(await request.json())
      return HttpResponse.json({ data: [{ part: 'materials', created: 12 }] })
    }),
  )
  const { user } = renderApp('/home')
  await user.click(await screen.findByRole('button', { name: 'Stahlkatalog füllen' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Stahlkatalog füllen' }))
  for (const box of dialog.getAllByRole('checkbox').slice(1)) await user.click(box)
  await user.click(dialog.getByRole('button', { name: 'Füllen' }))
  expect(await screen.findByText('12 Einträge wurden angelegt.')).toBeInTheDocument()
  expect(bodies).toEqual([{ parts: ['materials'] }])
})

it('shows the quality of the last imports as a chart and a table', async () => {
  const { user } = renderApp('/home?tenantId=2')
  const quality = within(await part('Qualität der letzten Importe'))
  await user.click(await quality.findByRole('button', { name: 'Tabelle: Qualität der letzten Importe' }))
  expect(quality.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(['Import', 'Übernommen', 'Wartet', 'Abgelehnt'])
  expect(quality.getAllByRole('row').length).toBeGreaterThan(1)
})

it('says that the data of a chart could not be loaded, and loads it again', async () => {
  const refusal = { code: 'invalid_parameter', message: 'Anfrage abgelehnt' }
  server.use(http.get('*/api/admin/stocks', () => HttpResponse.json(refusal, { status: 422 })))
  const { user } = renderApp('/home?tenantId=2')
  const age = within(await part('Alter von Beständen und Preisen'))
  expect(await age.findByText(/Anfrage abgelehnt/)).toBeInTheDocument()
  expect(age.queryByText('Es gibt noch keine Bestände und Preise.')).not.toBeInTheDocument()
  server.use(http.get('*/api/admin/stocks', none))
  await user.click(age.getByRole('button', { name: 'Erneut versuchen' }))
  expect(await age.findByText('Es gibt noch keine Bestände und Preise.')).toBeInTheDocument()
})
