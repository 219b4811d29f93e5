import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Condition, type ConditionsInput, conditionTypeValues } from '~/api/schema'
import { http } from '~/mocks/server'
import { renderApp, type USERS } from '~/test/render'
import { db, mockAnswer, server } from '~/test/server'
import { valueKind } from './subjects'

const PATH = '/api/admin/price-adjustments/conditions'
const heavy: Condition = { type: 'cart_weight', op: 'greater_equals', value: '10', unit: 't' }
const saturday: Condition = { type: 'weekday', op: 'in', value: ['saturday'] }

/** Conditions of the last request for their text. */
let requested: Condition | null | undefined

beforeEach(() => {
  db.flags.demo_pages = true
  requested = undefined
  server.use(
    http.post(PATH, async ({ request }) => {
      const { conditions } = (await request.json()) as ConditionsInput
      requested = conditions as Condition
      return HttpResponse.json({ conditions: requested, text: 'all(…)', faults: [] })
    }),
  )
})

/** Opens the demo page of the editor with its initial tree. */
async function open(user: keyof typeof USERS = 'tenantAdmin') {
  const view = renderApp('/demo/conditions', user)
  await screen.findByRole('heading', { level: 1, name: 'Bedingungen' })
  return view
}

/** Replaces the tree by pasting a text. */
async function take(user: Awaited<ReturnType<typeof open>>['user'], conditions: Condition) {
  const text = await screen.findByLabelText('Bedingungen als Text')
  await waitFor(() => expect(text).toHaveValue('all(…)'))
  mockAnswer(PATH, { conditions, text: 'all(…)', faults: [] })
  await user.clear(text)
  await user.paste('x')
  await user.click(screen.getByText('Übernehmen'))
}

const handle = (name: string) => screen.getByRole('button', { name: `${name} verschieben` })

describe('by keyboard', () => {
  it('moves into a group and out of it, keeps the focus, and announces the position', async () => {
    const { user } = await open()
    handle('Bedingung 1').focus()
    await user.keyboard('{ArrowDown}')
    await waitFor(() => expect(handle('Bedingung 1.1')).toHaveFocus())
    expect(screen.getByText('Verschoben: jetzt Bedingung 1.1.')).toBeInTheDocument()
    await waitFor(() => expect(requested).toEqual({ all: [{ not: [heavy, saturday] }] }))
    await user.keyboard('{ArrowDown}')
    await waitFor(() => expect(handle('Bedingung 1.2')).toHaveFocus())
    await user.keyboard('{ArrowDown}')
    await waitFor(() => expect(handle('Bedingung 2')).toHaveFocus())
    await waitFor(() => expect(requested).toEqual({ all: [{ not: [saturday] }, heavy] }))
    // the last node cannot move further
    await user.keyboard('{ArrowDown}')
    expect(handle('Bedingung 2')).toHaveFocus()
  })

  it('builds a group, and removes and restores a part', async () => {
    const { user } = await open()
    screen.getByRole('button', { name: 'Gruppe in Hauptgruppe hinzufügen' }).focus()
    await user.keyboard('{Enter}')
    const subject = screen.getByLabelText('Was verglichen wird, Bedingung 3.1')
    await waitFor(() => expect(subject).toHaveFocus())
    await user.selectOptions(subject, 'cart_base_price')
    await user.tab()
    expect(screen.getByLabelText('Vergleich, Bedingung 3.1')).toHaveFocus()
    await user.tab()
    await user.keyboard('1250,50')
    await waitFor(() =>
      expect(requested).toEqual({
        all: [heavy, { not: [saturday] }, { any: [{ type: 'cart_base_price', op: 'greater_equals', value: '1250.5' }] }],
      }),
    )
    screen.getByRole('button', { name: 'Gruppe 2 entfernen' }).focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByLabelText('Wochentag')).not.toBeInTheDocument())
    // the next node takes the focus
    await waitFor(() => expect(handle('Gruppe 2')).toHaveFocus())
    await user.click(await screen.findByRole('button', { name: 'Rückgängig' }))
    expect(await screen.findByRole('button', { name: 'Samstag' })).toHaveAttribute('aria-pressed', 'true')
  })

  it('moves a part by its menu in all possible directions', async () => {
    const { user } = await open()
    const menu = async (node: string) => {
      screen.getByRole('button', { name: `Aktionen für ${node}` }).focus()
      await user.keyboard('{Enter}')
      return screen.findByRole('menu')
    }
    const choose = async (node: string, action: string) =>
      user.click(within(await menu(node)).getByRole('menuitem', { name: new RegExp(`^${action}`) }))
    await choose('Bedingung 2.1', 'Aus der Gruppe herausnehmen')
    await waitFor(() => expect(requested).toEqual({ all: [heavy, saturday] }))
    await choose('Bedingung 1', 'In eine eigene Gruppe setzen')
    await waitFor(() => expect(requested).toEqual({ all: [{ all: [heavy] }, saturday] }))
    await choose('Gruppe 1', 'Gruppe auflösen')
    // known text is not requested again
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Gruppe 1' })).not.toBeInTheDocument())
    expect(screen.getAllByRole('group', { name: /^Bedingung \d/ }).map((one) => one.getAttribute('aria-label'))).toEqual([
      'Bedingung 1',
      'Bedingung 2',
    ])
    expect(within(await menu('Bedingung 1')).getByRole('menuitem', { name: /^Nach oben/ })).toHaveAttribute('aria-disabled', 'true')
  })
})

it('offers all fields of the contract, each with suitable comparisons', async () => {
  const { user } = await open()
  await take(user, { all: [heavy] })
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Gruppe 2' })).not.toBeInTheDocument())
  const subject = await screen.findByLabelText('Was verglichen wird, Bedingung 1')
  const offered = within(subject)
    .getAllByRole<HTMLOptionElement>('option')
    .map(({ value }) => value)
  expect([...offered].sort()).toEqual([...conditionTypeValues].sort())
  for (const type of conditionTypeValues) {
    await user.selectOptions(subject, type)
    const kind = valueKind(type)
    const row = within(screen.getByRole('group', { name: 'Bedingung 1' }))
    const operators = within(row.getByLabelText('Vergleich, Bedingung 1')).getAllByRole('option')
    expect([type, operators.length]).toEqual([type, kind === 'records' || kind === 'weekday' ? 2 : 6])
    expect([type, row.queryByRole('combobox', { name: 'Einheit, Bedingung 1' }) !== null]).toEqual([
      type,
      kind === 'weight' || kind === 'quantity',
    ])
    if (kind === 'records') expect(row.getByRole('combobox', { name: / suchen$/ })).toBeInTheDocument()
    else if (kind === 'weekday') expect(row.getAllByRole('button', { pressed: false })).toHaveLength(7)
    else expect(row.getByRole('textbox', { name: 'Wert, Bedingung 1' })).toBeInTheDocument()
  }
})

it('shows the limits of depth and size before they are reached', async () => {
  const { user } = await open()
  const deep: Condition = { all: [{ all: [{ all: [{ all: [heavy] }] }] }] }
  await take(user, { all: [...(deep.all ?? []), ...Array.from({ length: 44 }, () => heavy)] })
  expect(await screen.findByText('49 von 50 Bedingungen und Gruppen')).toBeInTheDocument()
  expect(screen.getByText('5 von 5 Ebenen')).toBeInTheDocument()
  const button = (text: string) => screen.getByLabelText(text)
  expect(button('Gruppe in Gruppe 1.1.1 hinzufügen')).toBeDisabled()
  expect(button('Gruppe in Hauptgruppe hinzufügen')).toBeDisabled()
  await user.click(button('Bedingung in Hauptgruppe hinzufügen'))
  expect(button('Bedingung in Hauptgruppe hinzufügen')).toBeDisabled()
  expect(screen.getAllByText('Höchstens 50 Bedingungen und Gruppen sind möglich.').length).toBeGreaterThan(0)
})

it('shows errors on its own page on demand', async () => {
  const { user } = await open()
  await user.clear(screen.getByLabelText('Wert, Bedingung 1'))
  await user.click(screen.getByRole('button', { name: 'Samstag' }))
  expect(screen.getByText('Der Text erscheint, sobald alle Bedingungen vollständig sind.')).toBeInTheDocument()
  expect(screen.queryByText('Pflichtfeld')).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Prüfen' }))
  expect(screen.getByLabelText('Wert, Bedingung 1')).toHaveAccessibleDescription('Pflichtfeld')
  expect(screen.getByText('Zu wenige Einträge: mindestens 1')).toBeInTheDocument()
  await waitFor(() => expect(screen.getByLabelText('Wert, Bedingung 1')).toHaveFocus())
  await user.keyboard('5')
  await user.click(screen.getByRole('button', { name: 'Samstag' }))
  await user.click(screen.getByRole('button', { name: 'Prüfen' }))
  expect(await screen.findByText('Alle Bedingungen sind vollständig.')).toBeInTheDocument()
})

it('is in the menu if demo pages are enabled', async () => {
  await open('staff')
  expect(within(screen.getByRole('navigation', { name: 'Hauptnavigation' })).getByRole('link', { name: 'Bedingungen' })).toBeInTheDocument()
})

it('does not exist without the flag', async () => {
  db.flags.demo_pages = false
  renderApp('/demo/conditions', 'tenantAdmin')
  expect(await screen.findByText('Path not found')).toBeInTheDocument()
  expect(screen.queryByRole('link', { name: 'Bedingungen' })).not.toBeInTheDocument()
})
