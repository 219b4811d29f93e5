import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { SurchargeTable, SurchargeValue, SurchargeValuesInput } from '~/api/schema'
import { today } from '~/lib/days'
import { addMonths, monthOf } from '~/lib/months'
import { http, problem } from '~/mocks/server'
import { impactAnswer } from '~/test/fixtures/impact-answer'
import { renderApp } from '~/test/render'
import { deferredAnswer, requests, server } from '~/test/server'

let NOW: string
let NEXT: string
/** Column of the current month, after the name and five past months. */
const HERE = 6

const value = (material: number, month: string, amount: string, base: string | null = null): SurchargeValue => ({
  material_id: material,
  article_type_id: null,
  name: `1.430${material}`,
  month,
  value: amount,
  base_table: base === null ? null : { id: 9, name: base },
})

let table: SurchargeTable
let values: SurchargeValue[]
let sent: SurchargeValuesInput[]

beforeAll(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1400)
})
afterAll(() => vi.restoreAllMocks())

beforeEach(() => {
  NOW = monthOf(today())
  NEXT = addMonths(NOW, 1)
  sent = []
  values = [value(1, NOW, '1650'), value(1, NEXT, '1700', 'Alle Kunden'), value(2, NOW, '2100.5')]
  table = {
    id: 7,
    tenant: { id: 1, short_code: 'NORD' },
    name: 'Legierungszuschlag',
    kind: 'alloy',
    keyed_by: 'material',
    base_table: { id: 9, name: 'Alle Kunden' },
    value_count: 2,
    last_month: NOW,
    missing: [{ key: { id: 2, name: '1.4302' }, month: NEXT }],
    version: 4,
    created_at: '2026-11-01T08:00:00Z',
    updated_at: '2026-11-01T08:00:00Z',
  }
  server.use(
    http.get('/api/admin/surcharge-tables', () =>
      HttpResponse.json({ data: [table], meta: { current_page: 1, last_page: 1, per_page: 40, total: 1 } }),
    ),
    http.get('/api/admin/surcharge-tables/{id}', () => HttpResponse.json(table)),
    http.get('/api/admin/surcharge-tables/{id}/values', () => HttpResponse.json({ version: table.version, data: values })),
    http.post('/api/admin/surcharge-tables/{id}/impact', () =>
      HttpResponse.json(impactAnswer({ articles_touched: 0, below_internal_after: 3, sample_carts: [] })),
    ),
    http.put('/api/admin/surcharge-tables/{id}/values', async ({ request }) => {
      const input = (await request.json()) as SurchargeValuesInput
      sent.push(input)
      if (input.version !== table.version) return problem(409, 'stale', 'Inzwischen geändert.') as never
      if (input.values.some((one) => one.value === '13'))
        return problem(422, 'invalid', 'Bitte prüfen Sie Ihre Eingaben.', { 'values.0.value': ['Das bringt Unglück.'] } as never) as never
      for (const { material_id, month, value: amount } of input.values) {
        values = values.filter((one) => one.base_table !== null || one.material_id !== material_id || one.month !== month)
        if (amount) values = [...values, value(material_id ?? 0, month, amount)]
      }
      table = { ...table, version: table.version + 1 }
      return HttpResponse.json({ version: table.version, data: values })
    }),
  )
})

async function open(user: Parameters<typeof renderApp>[1] = 'tenantAdmin') {
  const view = renderApp('/surcharge-tables/7/values', user)
  await screen.findByRole('rowheader', { name: '1.4301' })
  const cell = (row: number, column: number) => view.container.querySelector(`[data-row="${row}"] [data-column="${column}"]`) as HTMLElement
  const save = () => view.user.click(screen.getByRole('button', { name: 'Speichern' }))
  return { ...view, cell, save }
}

it('marks missing values in the list, on the page and at the cell, and shows values of the base table', async () => {
  const { cell } = await open()
  expect(screen.getByText('1 Wert fehlt')).toBeInTheDocument()
  expect(cell(0, HERE)).toHaveTextContent('1.650,00')
  expect(cell(0, HERE + 1)).toHaveTextContent('1.700,00')
  expect(screen.getByTitle('aus Alle Kunden')).toHaveTextContent('1.700,00')
  expect(cell(1, HERE + 1)).toHaveTextContent('fehlt')
  expect(cell(1, HERE - 1).textContent).toBe('')
})

it('saves a pasted block in one call, with its base version', async () => {
  const { user, cell, save } = await open()
  await user.click(cell(0, HERE))
  await user.paste('1.680,50 €/t\t1.710\n2.110\t2.150,25\n')
  await save()
  await screen.findByText('4 Werte gespeichert')
  expect(sent).toEqual([
    {
      version: 4,
      values: [
        { material_id: 1, month: NOW, value: '1680.5' },
        { material_id: 1, month: NEXT, value: '1710' },
        { material_id: 2, month: NOW, value: '2110' },
        { material_id: 2, month: NEXT, value: '2150.25' },
      ],
    },
  ])
  // the next save is based on the version that this one has created
  await waitFor(() => expect(screen.getByRole('button', { name: 'Speichern' })).toBeDisabled())
  await user.click(cell(1, HERE))
  await user.keyboard('{Delete}')
  await save()
  await screen.findByText('1 Wert gespeichert')
  expect(sent[1]).toEqual({ version: 5, values: [{ material_id: 2, month: NOW, value: null }] })
})

it('saves input that was typed before the saved values are loaded again', async () => {
  const { opened, open: answer } = deferredAnswer()
  let loaded = 0
  const { user, cell, save } = await open()
  server.use(
    http.get('/api/admin/surcharge-tables/{id}/values', async () => {
      await opened
      loaded = table.version
      return HttpResponse.json({ version: table.version, data: values })
    }),
    http.get('/api/admin/surcharge-tables/{id}', async () => {
      await opened
      return HttpResponse.json(table)
    }),
  )
  await user.click(cell(0, HERE))
  await user.keyboard('1680{Enter}')
  await save()
  await screen.findByText('1 Wert gespeichert')
  await user.click(cell(1, HERE))
  await user.keyboard('2110{Enter}')
  await save()
  await waitFor(() => expect(sent.map(({ version }) => version)).toEqual([4, 5]))
  answer()
  await waitFor(() => expect(loaded).toBe(6))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Speichern' })).toBeDisabled())
  expect(cell(1, HERE)).toHaveTextContent('2.110,00')
})

it('fills missing values of the next month, and leaves the rest unchanged', async () => {
  const { user, cell, save } = await open()
  await user.click(screen.getByRole('button', { name: /vorbelegen/ }))
  expect(cell(1, HERE + 1)).toHaveTextContent('2.100,50')
  await save()
  await screen.findByText('1 Wert gespeichert')
  expect(sent[0]?.values).toEqual([{ material_id: 2, month: NEXT, value: '2100.5' }])
})

it('keeps the input when another user was faster, and when the server refuses it', async () => {
  const { user, cell, save } = await open()
  await user.click(cell(0, HERE))
  await user.keyboard('13{Enter}')
  table = { ...table, version: 9 }
  values = [value(1, NOW, '1600'), ...values.slice(1)]
  await save()
  await screen.findByText(/Ihre Eingaben stehen noch hier/)
  expect(cell(0, HERE)).toHaveTextContent('13,00')
  expect(cell(0, HERE)).toHaveAccessibleDescription(/inzwischen gespeichert ist 1\.600,00/)
  await save()
  await screen.findByText(/wählen Sie bitte zuerst, welcher Wert gilt/)
  expect(sent).toHaveLength(1)
  await user.click(cell(0, HERE))
  await user.click(screen.getByRole('button', { name: 'Meine behalten' }))
  await save()
  await screen.findByText(/1 Wert wurde abgelehnt/)
  expect(sent.map(({ version }) => version)).toEqual([4, 9])
  expect(cell(0, HERE)).toHaveTextContent('13,00')
})

it('shows the impact of values on prices before the save, if there is one', async () => {
  let answer = impactAnswer({ held: 1 })
  const inputs: unknown[] = []
  server.use(
    http.post('/api/admin/surcharge-tables/{id}/impact', async ({ request }) => {
      inputs.push(await request.json())
      return HttpResponse.json(answer)
    }),
  )
  const { user, cell, save } = await open()
  await user.click(cell(0, HERE))
  await user.keyboard('1700{Enter}')
  await save()
  const dialog = within(await screen.findByRole('dialog', { name: 'Werte von „Legierungszuschlag“ speichern?' }))
  expect(await dialog.findByText('Brauchen eine Freigabe')).toBeInTheDocument()
  expect(inputs).toEqual([{ values: { values: [{ material_id: 1, month: NOW, value: '1700' }], version: 4 } }])
  await user.click(dialog.getByRole('button', { name: 'Zurück zur Tabelle' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(sent).toEqual([])
  answer = impactAnswer({ articles_touched: 0, below_internal_after: 3, sample_carts: [] })
  await save()
  await screen.findByText('1 Wert gespeichert')
})

it('asks before an implausible value is saved, and saves it once it is released', async () => {
  const slipped = '16.500,00 € je t ist das 10-Fache des bisherigen Preises.'
  server.use(
    http.put('/api/admin/surcharge-tables/{id}/values', async ({ request }) => {
      const input = (await request.json()) as SurchargeValuesInput
      sent.push(input)
      if (!input.release)
        return problem(409, 'release_needed', 'Mindestens ein Preis ist unplausibel.', { 'values.0.value': [slipped] } as never) as never
      return HttpResponse.json({ version: 5, data: [value(1, NOW, '16500')] })
    }),
  )
  const { user, cell, save } = await open()
  await user.click(cell(0, HERE))
  await user.keyboard('16500{Enter}')
  await save()
  const dialog = within(await screen.findByRole('alertdialog', { name: '1 Preis ist unplausibel' }))
  expect(dialog.getByText(new RegExp(`^1.4301, .+: ${slipped.replaceAll('.', '\\.')}$`))).toBeInTheDocument()
  await user.click(dialog.getByRole('button', { name: 'Zurück zur Eingabe' }))
  await screen.findByText(/1 Wert wurde abgelehnt/)
  expect(sent).toHaveLength(1)

  // until it is closed, the dialog hides what is behind it
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
  await save()
  await user.click(await screen.findByRole('button', { name: 'Freigeben und speichern' }))
  await screen.findByText('1 Wert gespeichert')
  expect(sent.map(({ release }) => release)).toEqual([undefined, undefined, true])
})

it('is linked from the start page if tables lack values', async () => {
  server.use(http.get('/api/admin/attention', () => HttpResponse.json({ data: [{ about: 'surcharges_missing', count: 1 }] })))
  const { user, path } = renderApp('/home', 'tenantAdmin')
  await user.click(await screen.findByRole('link', { name: '1 Zuschlagstabelle hat fehlende Werte für diesen Monat oder den nächsten' }))
  await waitFor(() => expect(path()).toContain('/surcharge-tables'))
  expect(await screen.findByRole('link', { name: 'Legierungszuschlag' })).toBeInTheDocument()
  await waitFor(() => expect(requests.some((one) => one.includes('/api/admin/surcharge-tables?'))).toBe(true))
})

it('can be based only on another table', async () => {
  const other = { ...table, id: 9, name: 'Alle Kunden', base_table: null }
  server.use(
    http.get('/api/admin/surcharge-tables', () =>
      HttpResponse.json({ data: [table, other], meta: { current_page: 1, last_page: 1, per_page: 40, total: 2 } }),
    ),
  )
  table = { ...table, base_table: null }
  const { user } = renderApp('/surcharge-tables/7/details', 'tenantAdmin')
  await user.click(await screen.findByRole('combobox', { name: /^Beruht auf/ }))
  const options = within(await screen.findByRole('listbox')).getAllByRole('option')
  expect(options.map(({ textContent }) => textContent)).toEqual([expect.stringContaining('Alle Kunden')])
})
