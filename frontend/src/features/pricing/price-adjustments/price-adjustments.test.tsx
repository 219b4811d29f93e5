import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Condition, PriceAdjustment, PriceAdjustmentImpactInput } from '~/api/schema'
import { http, problem } from '~/mocks/server'
import { impactAnswer } from '~/test/fixtures/impact-answer'
import { priceAdjustmentRow } from '~/test/fixtures/price-adjustment-row'
import { renderApp } from '~/test/render'
import { mockAnswer, requests, server } from '~/test/server'
import { stretchTimeouts } from '~/test/timers'
import { priceAdjustmentSchema, toForm } from './schema'

const heavy: Condition = { type: 'cart_weight', op: 'greater_equals', value: '10', unit: 't' }

let rows: PriceAdjustment[]
let sent: unknown[]

beforeEach(() => {
  rows = [
    priceAdjustmentRow(),
    priceAdjustmentRow({ id: 2, position: 2, name: 'Mengenrabatt', operation: 'discount', value: '3', calculation_type: 'relativeToBase' }),
    priceAdjustmentRow({ id: 3, position: 3, name: 'Kleinmenge', value: '45', calculation_type: 'absolute', active: false }),
  ]
  sent = []
  const one = (params: object) => rows.find(({ id }) => id === Number((params as { id: string }).id))
  server.use(
    http.get('/api/admin/price-adjustments/findings', () =>
      HttpResponse.json({ data: [], sample_carts: 0, made_carts: 0, complete: true }),
    ),
    http.get('/api/admin/price-adjustments', () =>
      HttpResponse.json({ data: rows, meta: { current_page: 1, last_page: 1, per_page: 200, total: rows.length } }),
    ),
    http.get('/api/admin/price-adjustments/{id}', ({ params }) => HttpResponse.json(one(params) ?? priceAdjustmentRow())),
    http.patch('/api/admin/price-adjustments/{id}', async ({ params, request }) => {
      const body = (await request.json()) as { active: boolean }
      sent.push(body)
      rows = rows.map((row) =>
        row.id === Number((params as { id: string }).id) ? { ...row, active: body.active, version: row.version + 1 } : row,
      )
      return HttpResponse.json(one(params) ?? priceAdjustmentRow())
    }),
    http.post('/api/admin/price-adjustments/impact', () => HttpResponse.json(impactAnswer())),
    http.put('/api/admin/price-adjustments/order', async ({ request }) => {
      const body = (await request.json()) as { ids: number[]; seen: number[] }
      sent.push(body)
      if (body.seen.join() !== rows.map(({ id }) => id).join()) return problem(409, 'order_changed', '')
      rows = body.ids.flatMap((id) => rows.find((row) => row.id === id) ?? [])
      return new HttpResponse(null, { status: 204 })
    }),
  )
})

afterEach(() => {
  vi.restoreAllMocks()
})

const at = '/price-adjustments?tenantId=1'
/** Confirms the dialog that shows the impact on prices. */
const confirm = async (user: ReturnType<typeof renderApp>['user']) =>
  user.click(within(await screen.findByRole('dialog', { name: / anlegen\?$/ })).getByRole('button', { name: 'Speichern' }))
const table = { id: 7, name: 'Legierungszuschläge' }

describe('the chain', () => {
  const move = async (user: ReturnType<typeof renderApp>['user'], name: string, action: string) => {
    await user.click(await screen.findByRole('button', { name: `Aktionen für ${name}` }))
    await user.click(await screen.findByRole('menuitem', { name: new RegExp(`^${action}`) }))
  }
  const visibleNames = () =>
    screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getByRole('rowheader').textContent)

  it('shows the effect, conditions and status of each adjustment', async () => {
    rows[1] = {
      ...(rows[1] as PriceAdjustment),
      conditions: { all: [heavy, { not: [{ type: 'weekday', op: 'in', value: ['saturday'] }] }] },
    }
    renderApp(at)
    const row = async (name: string) => screen.findByRole('row', { name: new RegExp(name) })
    expect(await row('Energiezuschlag')).toHaveTextContent(/\+35,00\s€\/tnach Gewicht.*Alle Artikel, immer.*Gültig/)
    expect(await row('Mengenrabatt')).toHaveTextContent(/−3\s%vom Grundpreis/)
    expect(await row('Mengenrabatt')).toHaveTextContent(/Gewicht des Warenkorbs mindestens 10\st und nicht \(Wochentag ist Samstag\)/)
    expect(await row('Kleinmenge')).toHaveTextContent(/\+45,00\s€je Position.*Ausgeschaltet/)
    // the chain is always one page
    expect(requests.find((one) => one.includes('/price-adjustments?'))).toContain('page[size]=200')
  })

  it('links to the table with the amounts', async () => {
    rows[1] = priceAdjustmentRow({ id: 2, position: 2, name: 'Legierung', value: null, surcharge_table: table })
    const { user, path } = renderApp(at)
    const row = within(await screen.findByRole('row', { name: /Legierung/ }))
    expect(row.getByText('je t, nach Werkstoff und Monat')).toBeInTheDocument()
    await user.click(row.getByRole('link', { name: 'Legierungszuschläge' }))
    await waitFor(() => expect(path()).toMatch(/^\/surcharge-tables\/7/))
  })

  it('saves a new order together with the displayed one, and undoes it', async () => {
    stretchTimeouts(1000, 4_000)
    const { user } = renderApp(at)
    await move(user, 'Kleinmenge', 'Ganz nach oben')
    expect(await screen.findByText(/^Wird gleich gespeichert/)).toBeInTheDocument()
    expect(visibleNames()).toEqual(['Kleinmenge', 'Energiezuschlag', 'Mengenrabatt'])
    await user.click(await screen.findByRole('button', { name: 'Rückgängig' }))
    await waitFor(() => expect(sent).toHaveLength(2))
    expect(sent).toEqual([
      { ids: [3, 1, 2], seen: [1, 2, 3] },
      { ids: [1, 2, 3], seen: [3, 1, 2] },
    ])
    expect(visibleNames()).toEqual(['Energiezuschlag', 'Mengenrabatt', 'Kleinmenge'])
  })

  it('does not save a new order while its impact is shown', async () => {
    // the timeout must not elapse before the button is pressed, however slow the machine is
    stretchTimeouts(1000, 1e6)
    const inputs: PriceAdjustmentImpactInput[] = []
    server.use(
      http.post('/api/admin/price-adjustments/impact', async ({ request }) => {
        inputs.push((await request.json()) as PriceAdjustmentImpactInput)
        return HttpResponse.json(impactAnswer())
      }),
    )
    const { user } = renderApp(at)
    await move(user, 'Kleinmenge', 'Ganz nach oben')
    fireEvent.click(await screen.findByRole('button', { name: 'Auswirkung' }))
    const dialog = await screen.findByRole('dialog', { name: 'Reihenfolge ändern?' })
    await within(dialog).findByText('Die 2 Artikel mit den größten Änderungen')
    // the sentence is shown beside the countdown
    expect(screen.getByText(/^Noch nicht gespeichert · 312 von 1\.240 Artikeln ändern sich/)).toBeInTheDocument()
    expect(sent).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Nicht ändern' }))
    await waitFor(() => expect(visibleNames()).toEqual(['Energiezuschlag', 'Mengenrabatt', 'Kleinmenge']))
    expect(sent).toEqual([])
    await move(user, 'Kleinmenge', 'Ganz nach oben')
    fireEvent.click(await screen.findByRole('button', { name: 'Auswirkung' }))
    const again = within(await screen.findByRole('dialog', { name: 'Reihenfolge ändern?' }))
    await user.click(again.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(sent).toEqual([{ ids: [3, 1, 2], seen: [1, 2, 3] }]))
    expect(inputs[0]).toEqual({ order: { ids: [3, 1, 2], seen: [1, 2, 3] } })
    expect(await screen.findByText(/^Die Reihenfolge wurde gespeichert · 312 von/)).toBeInTheDocument()
  })

  it.each([
    ['Meine speichern', ['Kleinmenge', 'Energiezuschlag', 'Mengenrabatt', 'Neu'], { ids: [3, 1, 2, 4], seen: [2, 4, 1, 3] }],
    ['Die andere übernehmen', ['Mengenrabatt', 'Neu', 'Energiezuschlag', 'Kleinmenge'], null],
  ])('loses no order when another user has saved a different one: %s', async (choice, expected, last) => {
    const { user } = renderApp(at)
    await screen.findByText('Energiezuschlag')
    rows = [rows[1], priceAdjustmentRow({ id: 4, name: 'Neu' }), rows[0], rows[2]] as PriceAdjustment[]
    await move(user, 'Kleinmenge', 'Ganz nach oben')
    expect(await screen.findByText(/Inzwischen hat ein anderer Benutzer die Reihenfolge geändert/)).toBeInTheDocument()
    expect(visibleNames().slice(0, 2)).toEqual(['Kleinmenge', 'Energiezuschlag'])
    await screen.findByText('Neu')
    await user.click(screen.getByRole('button', { name: choice }))
    await waitFor(() => expect(visibleNames()).toEqual(expected))
    if (last) await waitFor(() => expect(sent.at(-1)).toEqual(last))
    else expect(sent).toHaveLength(1)
  })

  it('is reordered by keyboard at the handles', async () => {
    // jsdom has no layout: rows of 40 px each, one below the other
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      const row = this.closest('tr')
      return new DOMRect(0, 40 * [...(row?.parentElement?.children ?? [])].indexOf(row as Element), 800, 40)
    })
    const { user } = renderApp(at)
    ;(await screen.findByRole('button', { name: 'Kleinmenge verschieben' })).focus()
    await user.keyboard('[Space]')
    await screen.findByText(/^Kleinmenge .*Position 3 von 3/)
    await user.keyboard('[ArrowUp]')
    await screen.findByText(/^Kleinmenge .*Position 2 von 3/)
    await user.keyboard('[Space]')
    await screen.findByText('Die Reihenfolge wurde gespeichert')
    expect(sent).toEqual([{ ids: [1, 3, 2], seen: [1, 2, 3] }])
    expect(visibleNames()).toEqual(['Energiezuschlag', 'Kleinmenge', 'Mengenrabatt'])
  })

  it('shows a message if there are no adjustments', async () => {
    rows = []
    renderApp(at)
    expect(await screen.findByText('Noch keine Preisanpassungen')).toBeInTheDocument()
    expect(screen.queryByText(/Ziehen Sie sie am Griff/)).not.toBeInTheDocument()
  })

  it('cannot be reordered if it is filtered or sorted', async () => {
    renderApp(`${at}&sort=name`)
    await screen.findByText('Energiezuschlag')
    expect(screen.queryByRole('button', { name: 'Energiezuschlag verschieben' })).not.toBeInTheDocument()
    expect(screen.getByText(/Die Reihenfolge ändern Sie in der ungefilterten Liste/)).toBeInTheDocument()
    expect(requests.filter((one) => one.includes('/price-adjustments?')).at(-1)).toContain('page[size]=40')
  })

  it('keeps an open menu of a row when the list is filtered meanwhile', async () => {
    const { user } = renderApp(at)
    await screen.findByRole('button', { name: 'Mengenrabatt verschieben' })
    await user.type(screen.getByRole('searchbox', { name: /Suchen nach/ }), 'Mengen')
    await user.click(screen.getByRole('button', { name: 'Aktionen für Mengenrabatt' }))
    const open = screen.getByRole('menu')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Mengenrabatt verschieben', hidden: true })).toBeNull())
    expect(open).toBeVisible()
    expect(within(open).queryByRole('menuitem', { name: /Nach oben/ })).toBeNull()
  })

  it('switches an adjustment off in the list', async () => {
    const { user } = renderApp(at)
    await user.click(await screen.findByRole('switch', { name: 'Energiezuschlag einschalten' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Ausschalten' }))
    await waitFor(() => expect(sent).toEqual([{ active: false, version: 4 }]))
    await waitFor(() => expect(screen.getByRole('switch', { name: 'Energiezuschlag einschalten' })).not.toBeChecked())
  })
})

describe('read-only users', () => {
  it('see order and status, and can change neither', async () => {
    renderApp('/price-adjustments', 'staff')
    const row = within(await screen.findByRole('row', { name: /Energiezuschlag/ }))
    expect(row.getByText('Ja')).toBeInTheDocument()
    expect(screen.queryByRole('switch')).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: / verschieben$/ })).not.toBeInTheDocument()
    expect(screen.queryByRole('link', { name: 'Neue Preisanpassung' })).not.toBeInTheDocument()
    expect(screen.queryByText(/Ziehen Sie sie am Griff/)).not.toBeInTheDocument()
  })

  it('read the conditions of one, and their text', async () => {
    rows = [priceAdjustmentRow({ conditions: { all: [heavy] } })]
    mockAnswer('/api/admin/price-adjustments/conditions', { conditions: { all: [heavy] }, text: 'all(cart_weight >= 10 t)', faults: [] })
    const { user } = renderApp('/price-adjustments/1', 'staff')
    const form = within(await screen.findByRole('dialog'))
    expect(await form.findByLabelText('Wert, Bedingung 1')).toBeDisabled()
    expect(form.queryByRole('button', { name: /hinzufügen|entfernen|verschieben/ })).not.toBeInTheDocument()
    await user.click(form.getByRole('button', { name: 'Als Text' }))
    await waitFor(() => expect(form.getByLabelText('Bedingungen als Text')).toHaveValue('all(cart_weight >= 10 t)'))
    expect(form.getByLabelText('Bedingungen als Text')).toHaveAttribute('readonly')
    expect(form.getByRole('button', { name: 'Kopieren' })).toBeEnabled()
    expect(form.queryByRole('button', { name: 'Übernehmen' })).not.toBeInTheDocument()
  })
})

describe('the form', () => {
  const issues = (form: object) =>
    priceAdjustmentSchema
      .safeParse({ ...toForm(null), name: 'A', value: '1', ...form })
      .error?.issues.map((issue) => [issue.path.join('.'), issue.message]) ?? []
  const applyTo = { ...toForm(null).apply_to, kind: 'item' }
  const quantities = toForm(null).purchase_constraints
  const byTable = (calculation_type: string) => ({ value: '', surcharge_table_id: 7, calculation_type })

  it.each<[string, object, [string, string][]]>([
    ['what is right', {}, []],
    ['nothing', { value: '0' }, [['value', 'greaterThan?min=0']]],
    [
      'more than all of it',
      { operation: 'discount', calculation_type: 'relativeToBase', value: '100.5' },
      [['value', 'priceAdjustments:rules.tooMuch?max=100']],
    ],
    ['neither a value nor a table', { value: '' }, [['value', 'priceAdjustments:valueOrTable.none']]],
    ['a table', { value: '', surcharge_table_id: 7 }, []],
    ['a table of percents', byTable('relativeToBase'), [['calculation_type', 'priceAdjustments:valueOrTable.perTon']]],
    ['a high surcharge in percent', { calculation_type: 'relativeToAdjusted', value: '1000' }, []],
    ['a high amount', { operation: 'discount', value: '250' }, []],
    ['articles that nothing names', { apply_to: applyTo }, [['apply_to.kind', 'priceAdjustments:rules.nothingNamed']]],
    ['no kind of items', { apply_to: { ...applyTo, kind: 'item_type', item_types: [] } }, [['apply_to.item_types', 'atLeast?min=1']]],
    [
      'a largest quantity below the smallest',
      { purchase_constraints: { ...quantities, min_quantity: '2', max_quantity: '1' } },
      [['purchase_constraints.max_quantity', 'notLess?min=2']],
    ],
    ['a value that is no number', { calculation_type: 'relativeToBase', value: '1e30' }, [['value', 'decimal']]],
    [
      'a smallest quantity that is no number',
      { purchase_constraints: { ...quantities, min_quantity: '1e30', max_quantity: '5' } },
      [['purchase_constraints.min_quantity', 'decimal']],
    ],
    [
      'an end before the beginning',
      { valid_from: '2027-01-02T00:00', valid_until: '2027-01-01T00:00' },
      [['valid_until', 'priceAdjustments:rules.endsBefore']],
    ],
  ])('validates %s', (_name, form, expected) => expect(issues(form)).toEqual(expected))

  it('round-trips a record', () => {
    const row = priceAdjustmentRow({
      conditions: { all: [heavy] },
      apply_to: { kind: 'item', articles: [7], article_types: [], categories: [], materials: [3] },
      purchase_constraints: { min_quantity: '2', max_quantity: null, multiple_of: null, unit: 'piece' },
      tenants: [{ id: 5, company: 'Südstahl' }],
      valid_from: '2027-01-01T00:00:00.000Z',
    })
    const {
      id: _id,
      version: _version,
      created_at: _c,
      updated_at: _u,
      tenant: _t,
      position: _p,
      conditions_text: _text,
      tenants: _ts,
      tenant_groups: _g,
      excluded_tenants: _ex,
      surcharge_table: _st,
      ...rest
    } = row
    const body = { ...rest, surcharge_table_id: null, tenant_ids: [5], tenant_group_ids: [], excluded_tenant_ids: [] }
    expect(priceAdjustmentSchema.parse(toForm(row))).toEqual(body)
    const allButOne = { ...row, tenants: [], excluded_tenants: [{ id: 6, company: 'Nordstahl' }] }
    expect(priceAdjustmentSchema.parse(toForm(allButOne))).toEqual({ ...body, tenant_ids: [], excluded_tenant_ids: [6] })
    const ofTable = { ...row, value: null, surcharge_table: table }
    expect(priceAdjustmentSchema.parse(toForm(ofTable))).toEqual({ ...body, value: null, surcharge_table_id: 7 })
    expect(priceAdjustmentSchema.parse({ ...toForm(null), name: 'A', value: '1' })).toMatchObject({
      apply_to: { kind: 'item_type', item_types: ['article'] },
      purchase_constraints: null,
      conditions: null,
    })
  })

  it('accepts a table in place of the value, and keeps it in a copy', async () => {
    rows = [priceAdjustmentRow({ name: 'Legierung', value: null, surcharge_table: table })]
    server.use(
      http.get('/api/admin/surcharge-tables', () =>
        HttpResponse.json({ data: [table as never], meta: { current_page: 1, last_page: 1, per_page: 40, total: 1 } }),
      ),
      http.get('/api/admin/surcharge-tables/{id}', () => HttpResponse.json(table as never)),
      http.post('/api/admin/price-adjustments', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json(priceAdjustmentRow(), { status: 201 })
      }),
    )
    const { user, path } = renderApp('/price-adjustments/new?tenantId=1')
    const form = within(await screen.findByRole('dialog'))
    await user.type(form.getByLabelText('Name *'), 'Neu')
    await user.type(form.getByLabelText(/^Wert/), '12,5')
    await user.click(form.getByRole('combobox', { name: 'Zuschlagstabelle' }))
    await user.click(await screen.findByRole('option', { name: table.name }))
    expect(form.getByLabelText(/^Wert/)).toBeDisabled()
    await user.click(form.getByRole('button', { name: 'Speichern' }))
    await confirm(user)
    await waitFor(() => expect(path()).toBe('/price-adjustments'))
    const ofTable = { value: null, surcharge_table_id: 7, calculation_type: 'perTon' }
    expect(sent).toEqual([expect.objectContaining({ name: 'Neu', ...ofTable })])

    await user.click(await screen.findByRole('button', { name: 'Aktionen für Legierung' }))
    await user.click(await screen.findByRole('menuitem', { name: /^Duplizieren/ }))
    const copy = within(await screen.findByRole('dialog'))
    await waitFor(() => expect(copy.getByRole('combobox', { name: 'Zuschlagstabelle' })).toHaveValue(table.name))
    await user.type(copy.getByLabelText('Name *'), 'Zweite')
    await user.click(copy.getByRole('button', { name: 'Speichern' }))
    await confirm(user)
    await waitFor(() => expect(sent).toHaveLength(2))
    expect(sent[1]).toMatchObject({ name: 'Zweite', ...ofTable })
  })

  it('builds a tree, and shows errors at its nodes', async () => {
    let body: { conditions: unknown } | undefined
    server.use(
      http.post('/api/admin/price-adjustments', async ({ request }) => {
        body = (await request.json()) as never
        if (sent.push(body) === 1)
          return problem(422, 'invalid', 'Bitte prüfen Sie Ihre Eingaben.', {
            'conditions.all.1.any.0.value.0': ['Das Lager gibt es nicht.'],
          } as never)
        return HttpResponse.json(priceAdjustmentRow(), { status: 201 })
      }),
      http.get('/api/admin/warehouses', () =>
        HttpResponse.json({ data: [], meta: { current_page: 1, last_page: 1, per_page: 20, total: 0 } }),
      ),
    )
    const { user, path } = renderApp('/price-adjustments/new?tenantId=1')
    const form = within(await screen.findByRole('dialog'))
    await user.type(form.getByLabelText('Name *'), 'Neu')
    await user.type(form.getByLabelText(/^Wert/), '12,5')
    await user.click(form.getByRole('button', { name: 'Bedingung hinzufügen' }))
    // the new row takes the focus
    expect(form.getByLabelText('Was verglichen wird, Bedingung 1')).toHaveFocus()
    await user.click(form.getByRole('button', { name: 'Gruppe in Hauptgruppe hinzufügen' }))
    const inner = form.getByRole('group', { name: 'Bedingung 2.1' })
    await user.selectOptions(within(inner).getByLabelText(/^Was verglichen wird/), 'weekday')
    await user.click(form.getByRole('button', { name: 'Speichern' }))
    const first = form.getByRole('group', { name: 'Bedingung 1' })
    const value = within(first).getByLabelText('Wert, Bedingung 1')
    await waitFor(() => expect(value).toHaveAccessibleDescription('Pflichtfeld'))
    expect(within(inner).getByText('Zu wenige Einträge: mindestens 1')).toBeInTheDocument()
    await waitFor(() => expect(value).toHaveFocus())
    await user.click(within(inner).getByRole('button', { name: 'Samstag' }))
    await waitFor(() => expect(within(inner).queryByText('Zu wenige Einträge: mindestens 1')).not.toBeInTheDocument())
    // other errors are still shown
    await waitFor(() => expect(value).toHaveAccessibleDescription('Pflichtfeld'))
    await user.type(value, '10')
    await user.click(form.getByRole('button', { name: 'Speichern' }))
    await confirm(user)
    expect(await within(form.getByRole('group', { name: 'Bedingung 2.1' })).findByText('Das Lager gibt es nicht.')).toBeInTheDocument()
    await user.click(form.getByRole('button', { name: 'Speichern' }))
    await confirm(user)
    await waitFor(() => expect(path()).toBe('/price-adjustments'))
    expect(body?.conditions).toEqual({ all: [heavy, { any: [{ type: 'weekday', op: 'in', value: ['saturday'] }] }] })
  })

  it('reads conditions from a text, shows the position of an error, and can undo it', async () => {
    rows = [priceAdjustmentRow({ conditions: { all: [heavy] } })]
    mockAnswer('/api/admin/price-adjustments/conditions', { conditions: { all: [heavy] }, text: 'all(cart_weight >= 10 t)', faults: [] })
    const { user } = renderApp('/price-adjustments/1?tenantId=1')
    const form = within(await screen.findByRole('dialog'))
    await user.click(await form.findByRole('button', { name: 'Als Text' }))
    const text = form.getByLabelText('Bedingungen als Text')
    await waitFor(() => expect(text).toHaveValue('all(cart_weight >= 10 t)'))
    mockAnswer('/api/admin/price-adjustments/conditions', {
      conditions: null,
      text: null,
      faults: [{ position: 16, code: 'condition_text', message: 'An Stelle 16 wird erwartet: 123.45' }],
    })
    await user.clear(text)
    await user.paste('cart_weight >= x')
    await user.click(form.getByText('Übernehmen'))
    expect(await form.findByText('An Stelle 16 wird erwartet: 123.45')).toBeInTheDocument()
    expect(text).toHaveFocus()
    expect((text as HTMLTextAreaElement).selectionStart).toBe(15)
    mockAnswer('/api/admin/price-adjustments/conditions', {
      conditions: { type: 'cart_base_price', op: 'lesser_than', value: '250' },
      text: 'cart_base_price < 250',
      faults: [],
    })
    await user.clear(text)
    await user.paste('cart_base_price < 250')
    await user.click(form.getByText('Übernehmen'))
    await waitFor(() => expect(form.getByLabelText('Wert, Bedingung 1')).toHaveValue('250,00'))
    await user.click(await form.findByRole('button', { name: 'Rückgängig' }))
    await waitFor(() => expect(form.getByLabelText('Wert, Bedingung 1')).toHaveValue('10'))
  })
})
