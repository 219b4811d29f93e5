import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderApp } from '~/test/render'
import { itKeepsRules } from '~/test/rules'
import { db, server } from '~/test/server'
import { stretchTimeouts } from '~/test/timers'
import { attributeSchema, EMPTY_OPTION, toForm, typeRules } from './schema'

const option = (name: string, value: string) => ({ ...EMPTY_OPTION, name, value })
const issues = (form: object) =>
  attributeSchema.safeParse({ ...toForm(null), name: 'A', ...form }).error?.issues.map((issue) => [issue.path.join('.'), issue.message]) ??
  []

describe('the rules of the server', () => {
  const form = (input: object) => {
    const options = 'options' in input ? (input.options as object[]) : []
    return { ...toForm(null), ...input, options: options.map((one) => ({ ...EMPTY_OPTION, ...one })) }
  }
  // the server checks names of placeholders and known options; fields of another type are not sent
  itKeepsRules('attribute.json', attributeSchema, form, [
    'invalid_placeholder',
    'unit_category_not_allowed',
    'options_not_allowed',
    'weight_not_allowed',
    'wrong_unit_category',
    'unknown_reference',
  ])
})

describe('rules of the three types', () => {
  it.each([
    ['categorial without options', { type: 'categorial', options: [] }, [['options', 'atLeast?min=1']]],
    ['equal option names', { options: [option('a', '1'), option('A', '2')] }, [['options.1.name', 'duplicate']]],
    ['equal option values', { options: [option('a', '1'), option('b', '1')] }, [['options.1.value', 'duplicate']]],
    [
      'metric without category',
      { type: 'metric' },
      [
        ['unit_category', 'required'],
        ['default_unit', 'required'],
      ],
    ],
    ['metric with category', { type: 'metric', unit_category: 'length', default_unit: 'mm' }, []],
    ['custom', { type: 'custom' }, []],
  ])('%s', (_name, form, expected) => {
    const options = 'options' in form ? {} : { options: [option('a', '1')] }
    expect(issues({ ...options, ...form })).toEqual(expected)
  })

  it('sends no fields of the other types', () => {
    const body = attributeSchema.parse({
      ...toForm(null),
      name: 'A',
      type: 'metric',
      unit_category: 'mass',
      default_unit: 'kg',
      options: [option('a', '1')],
    })
    expect(body).toMatchObject({ options: [], unit_category: 'mass' })
    const weighed = { ...toForm(null), name: 'A', options: [option('a', '1')], weight_per_base_unit: '1' }
    for (const type of ['categorial', 'custom'] as const) {
      expect(attributeSchema.parse({ ...weighed, type })).toMatchObject({ weight_per_base_unit: null })
    }
  })

  it('has no rule for a type without options', () => {
    expect(typeRules({ type: 'custom', unit_category: null, default_unit: null, options: [] })).toEqual([])
  })
})

it('edits options', async () => {
  const { user } = renderApp('/attributes/4')
  await user.click(await screen.findByRole('button', { name: 'Option 2 entfernen' }))
  await user.click(screen.getByRole('button', { name: 'Hinzufügen' }))
  const last = screen.getByRole('group', { name: 'Option 5' })
  await user.type(within(last).getByLabelText(/^Name/), 'phosphatiert')
  await user.type(within(last).getByLabelText(/^Wert/), 'O6')
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(db.attributes[3]?.version).toBe(2))
  expect(db.attributes[3]?.options.map((one) => one.name)).toEqual([
    'walzroh',
    'gestrahlt und grundiert',
    'verzinkt',
    'gebeizt',
    'phosphatiert',
  ])
  // existing options keep their ids
  expect(db.attributes[3]?.options.map((one) => one.id)).toEqual([1, 3, 4, 5, expect.any(Number)])
})

it('shows errors of the server at the option', async () => {
  server.use(
    http.put('*/api/admin/attributes/4', () =>
      HttpResponse.json(
        { code: 'invalid', message: '', errors: { 'options.1.value': ['Wert wird verwendet'] }, request_id: '1' },
        { status: 422 },
      ),
    ),
  )
  const { user } = renderApp('/attributes/4')
  await user.click(await screen.findByRole('button', { name: 'Speichern' }))
  const second = screen.getByRole('group', { name: 'Option 2' })
  await waitFor(() => expect(within(second).getByLabelText(/^Wert/)).toHaveAccessibleDescription('Wert wird verwendet'))
})

it.each([
  ['custom', {}],
  ['metric', { unit_category: 'mass', default_unit: 'kg', weight_per_base_unit: '999999999999.5' }],
] as const)('creates an attribute of another type than the default: %s', async (type, expected) => {
  const { user, path } = renderApp('/attributes/new')
  await user.selectOptions(await screen.findByLabelText(/^Art/), 'metric')
  await user.type(screen.getByLabelText('Name *'), 'Neu')
  await user.selectOptions(screen.getByLabelText(/^Einheitenkategorie/), 'mass')
  await user.selectOptions(screen.getByLabelText(/^Standardeinheit/), 'kg')
  const weight = screen.getByLabelText('Gewichtsanteil')
  expect(weight).toHaveAccessibleDescription(/Ohne Wirkung, wenn der Artikeltyp einen Querschnitt hat\.$/)
  await user.type(weight, type === 'metric' ? '999999999999,5' : 'schwer')
  await user.selectOptions(screen.getByLabelText(/^Art/), type)
  expect(screen.queryAllByLabelText('Gewichtsanteil')).toHaveLength(type === 'metric' ? 1 : 0)
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(path()).toBe('/attributes'))
  const nothing = { unit_category: null, default_unit: null, weight_per_base_unit: null }
  expect(db.attributes.at(-1)).toMatchObject({ name: 'Neu', type, options: [], ...nothing, ...expected })
})

it('offers only the units of the category', async () => {
  const { user } = renderApp('/attributes/new')
  await user.selectOptions(await screen.findByLabelText(/^Art/), 'metric')
  expect(screen.getByLabelText(/^Standardeinheit/)).toBeDisabled()
  await user.selectOptions(screen.getByLabelText(/^Einheitenkategorie/), 'mass')
  const units = within(screen.getByLabelText(/^Standardeinheit/)).getAllByRole('option')
  expect(units.map((unit) => unit.textContent)).toEqual(['Bitte wählen', 'kg', 't'])
})

describe('order', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })
  const open = async () => {
    const { user } = renderApp('/attributes/order')
    const drawer = within(await screen.findByRole('dialog'))
    await drawer.findByText('Höhe')
    const move = async (name: string, action: string) => {
      await user.click(await screen.findByRole('button', { name: `Aktionen für ${name}` }))
      await user.click(await screen.findByRole('menuitem', { name: new RegExp(`^${action}`) }))
    }
    return { user, drawer, move }
  }
  const positions = () => db.attributes.map((row) => row.position)

  it('is not offered to users who may not change it', async () => {
    renderApp('/attributes/order', 'tenantAdmin')
    const drawer = within(await screen.findByRole('dialog'))
    expect(await drawer.findByText('Dafür fehlt Ihnen die Berechtigung.')).toBeInTheDocument()
    expect(drawer.queryByText('Höhe')).not.toBeInTheDocument()
  })

  it('is saved automatically, and can be undone', async () => {
    const { user, move } = await open()
    await move('Breite', 'Nach oben')
    await waitFor(() => expect(positions()).toEqual([2, 1, 3, 4, 5]))
    await user.click(await screen.findByRole('button', { name: 'Rückgängig' }))
    await waitFor(() => expect(positions()).toEqual([1, 2, 3, 4, 5]))
  })

  it('does not overwrite an order that another user has saved meanwhile', async () => {
    const { user, drawer, move } = await open()
    // another user moves the last one to the top
    for (const row of db.attributes) row.position = (row.position % 5) + 1
    await move('Breite', 'Nach oben')
    await user.click(await drawer.findByRole('button', { name: 'Die andere übernehmen' }))
    expect(positions()).toEqual([2, 3, 4, 5, 1])
  })

  it('can be cancelled before it is saved', async () => {
    // on a busy machine more than a second passes before the button is found
    stretchTimeouts(1000, 600_000)
    const { user, drawer, move } = await open()
    await move('Bemerkung', 'Ganz nach oben')
    expect(await drawer.findByText('Wird gleich gespeichert')).toBeInTheDocument()
    await user.click(drawer.getByRole('button', { name: 'Abbrechen' }))
    expect(drawer.queryByText('Wird gleich gespeichert')).not.toBeInTheDocument()
    expect(drawer.getAllByRole('listitem')[0]).toHaveTextContent('Höhe')
    expect(positions()).toEqual([1, 2, 3, 4, 5])
  })
})
