import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import type { Article, ArticlePreview, ArticleType, Dimension, Material, QuantityEquivalents } from '~/api/schema'
import { renderApp, USERS } from '~/test/render'
import { readRules } from '~/test/rules'
import { db, mockAnswer, requests, server } from '~/test/server'
import { type AttributeValueForm, articleSchema, toDraft, toForm, valuesOf } from './schema'

const entry = (attribute_id: number, type: AttributeValueForm['type'], rest: Partial<AttributeValueForm> = {}): AttributeValueForm => ({
  attribute_id,
  type,
  option_id: '',
  number: '',
  unit: '',
  text: '',
  dimension: '',
  ...rest,
})

/** Makes the preview answer with the given computed values during the test. */
const following = (preview: Partial<ArticlePreview>) =>
  mockAnswer('/api/admin/articles/preview', {
    article_number: null,
    article_name: null,
    weight_per_base_unit: null,
    material_required: false,
    problems: {},
    ...preview,
  })

describe('measures', () => {
  interface Case {
    dimension: Dimension | null
    number: string
    error: string | null
  }
  const { cases } = readRules<{ cases: Case[] }>('measure.json')
  it.each(cases)('%j', ({ dimension, number, error }) => {
    const values = [entry(4, 'custom', { text: 'x' }), entry(1, 'metric', { number, dimension: dimension ?? '' })]
    const issues = articleSchema(() => false).safeParse({ ...toForm(null), article_type_id: 1, values }).error?.issues ?? []
    const keys: Record<string, string> = { not_greater: 'greaterThan?min=0', too_small: 'notLess?min=0' }
    expect(issues.map(({ path, message }) => [path.join('.'), message])).toEqual(error ? [['values.1.number', keys[error]]] : [])
  })
})

describe('values', () => {
  it('are kept if the new type has the same attribute', () => {
    const type = {
      attributes: [
        { attribute_id: 2, type: 'metric', dimension: 'width' },
        { attribute_id: 5, type: 'custom', dimension: null },
      ],
    } as ArticleType
    const before = [entry(1, 'metric', { number: '60' }), entry(2, 'metric', { number: '40' })]
    expect(valuesOf(type, before)).toEqual([entry(2, 'metric', { number: '40', dimension: 'width' }), entry(5, 'custom')])
  })

  it('are sent only in the field of their type', () => {
    const values = [entry(4, 'categorial', { option_id: '3', text: 'x' }), entry(1, 'metric', { number: '60', unit: 'mm' })]
    expect(articleSchema(() => false).parse({ ...toForm(null), article_type_id: 1, values }).values).toEqual([
      { attribute_id: 4, option_id: 3, number: null, unit: null, text: null },
      { attribute_id: 1, option_id: null, number: '60', unit: 'mm', text: null },
    ])
  })

  it('are all required, but a preview is requested with incomplete ones', () => {
    const form = { ...toForm(null), article_type_id: 1, values: [entry(1, 'metric'), entry(5, 'custom', { text: 'x' })] }
    expect(
      articleSchema(() => false)
        .safeParse(form)
        .error?.issues.map(({ path, message }) => [path.join('.'), message]),
    ).toEqual([['values.0.number', 'required']])
    expect(toDraft(form)?.values.map(({ attribute_id }) => attribute_id)).toEqual([5])
    expect(toDraft(toForm(null))).toBeNull()
  })
})

describe('form', () => {
  it('has the fields of the selected type, and shows the derived values', async () => {
    following({ article_number: 'HP-80x60x6.3-O4', article_name: 'Hohlprofil', weight_per_base_unit: '8.6625' })
    const { user } = renderApp('/articles/new')
    const type = await screen.findByRole('combobox', { name: /^Artikeltyp/ })
    expect(screen.queryByLabelText(/^Artikelnummer/)).not.toBeInTheDocument()
    await user.click(type)
    await user.click(await screen.findByRole('option', { name: 'Hohlprofil' }))
    for (const [name, value] of [
      ['Höhe', '80'],
      ['Breite', '60'],
      ['Wanddicke', '6,3'],
    ] as const) {
      await user.type(await screen.findByRole('textbox', { name: new RegExp(`^${name}`) }), value)
    }
    await user.selectOptions(screen.getByRole('combobox', { name: /^Oberfläche/ }), 'verzinkt')
    await user.type(screen.getByLabelText(/^Bemerkung/), 'EN 10219')
    const number = screen.getByRole('textbox', { name: /^Artikelnummer/ })
    await waitFor(() => expect(number).toHaveValue('HP-80x60x6.3-O4'))
    expect(number).toHaveAttribute('readonly')
    await user.click(screen.getByRole('switch', { name: 'Bezeichnung: Aus der Vorlage' }))
    const name = screen.getByRole('textbox', { name: /^Bezeichnung/ })
    await user.clear(name)
    await user.type(name, 'Quadratrohr')
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(db.articles).toHaveLength(3))
    expect(db.articles[2]).toMatchObject({
      article_number_overridden: false,
      article_name: 'Quadratrohr',
      article_name_overridden: true,
      weight_per_base_unit_overridden: false,
    })
  })

  it('keeps the values during a search for another type', async () => {
    const { user } = renderApp('/articles/new')
    const type = await screen.findByRole('combobox', { name: /^Artikeltyp/ })
    const pick = async () => {
      await user.click(type)
      await user.click(await screen.findByRole('option', { name: 'Hohlprofil' }))
      return screen.findByRole('textbox', { name: /^Höhe/ })
    }
    await user.type(await pick(), '80')
    await user.clear(type)
    expect(screen.queryByRole('textbox', { name: /^Höhe/ })).not.toBeInTheDocument()
    expect(await pick()).toHaveValue('80')
  })

  it('distinguishes an overridden value, and restores the one of the template', async () => {
    following({ article_name: 'Hohlprofil 100 x 40 x 4' })
    const { user } = renderApp('/articles/2')
    const name = await screen.findByRole('textbox', { name: /^Bezeichnung/ })
    expect(name).not.toHaveAttribute('readonly')
    expect(screen.getByRole('textbox', { name: /^Artikelnummer/ })).toHaveAttribute('readonly')
    await user.click(screen.getByRole('switch', { name: 'Bezeichnung: Aus der Vorlage' }))
    expect(name).toHaveAttribute('readonly')
    await waitFor(() => expect(name).toHaveValue('Hohlprofil 100 x 40 x 4'))
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(db.articles[1]?.article_name_overridden).toBe(false))
  })

  it('keeps the type, and updates a derived weight when the values change', async () => {
    following({ weight_per_base_unit: '5.5' })
    const { user } = renderApp('/articles/1')
    expect(await screen.findByLabelText('Artikeltyp')).toBeDisabled()
    const weight = await screen.findByRole('textbox', { name: /^Metergewicht/ })
    expect(weight).toHaveValue('5,5')
    expect(weight).toHaveAttribute('readonly')
    following({ weight_per_base_unit: '11' })
    await user.type(await screen.findByRole('textbox', { name: /^Wanddicke/ }), '{Backspace}8')
    await waitFor(() => expect(weight).toHaveValue('11'))
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(db.articles[0]).toMatchObject({ version: 2, weight_per_base_unit_overridden: false }))
  })

  it('keeps an overridden weight until it is derived from the values again', async () => {
    following({ weight_per_base_unit: '11' })
    const { user } = renderApp('/articles/2')
    const wall = await screen.findByRole('textbox', { name: /^Wanddicke/ })
    const weight = screen.getByRole('textbox', { name: /^Metergewicht/ })
    expect(weight).not.toHaveAttribute('readonly')
    await user.type(wall, '{Backspace}8')
    await user.type(weight, '{Backspace}75')
    await user.tab()
    expect(weight).toHaveValue('5,75')
    await user.click(screen.getByRole('switch', { name: 'Metergewicht: Aus den Attributen' }))
    await waitFor(() => expect(weight).toHaveValue('11'))
    await user.click(screen.getByRole('switch', { name: 'Metergewicht: Aus den Attributen' }))
    await user.clear(weight)
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    expect(weight).toHaveAccessibleDescription('Pflichtfeld')
    await user.type(weight, '10,9')
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(db.articles[1]).toMatchObject({ weight_per_base_unit: '10.9', weight_per_base_unit_overridden: true }))
  })

  it('shows a conflict with formatted values', async () => {
    const { user } = renderApp('/articles/2')
    const material = await screen.findByRole('combobox', { name: /^Werkstoff/ })
    await user.click(material)
    await user.click(await screen.findByRole('option', { name: 'S355J2' }))
    await user.click(screen.getByRole('switch', { name: 'Metergewicht: Aus den Attributen' }))
    const row = db.articles[1]
    if (!row) throw new Error('no article')
    Object.assign(row, { version: 2, material: null, weight_per_base_unit: '5.25' })
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    // searching by label is slow and would delay the answer
    await screen.findByText('Ihre Eingabe: S355J2')
    expect(screen.getByLabelText('Ihre Eingabe: S355J2')).toBeChecked()
    expect(screen.getByLabelText('Gespeicherter Stand: (leer)')).toBeInTheDocument()
    expect(screen.getByLabelText('Ihre Eingabe: Aus den Attributen')).toBeChecked()
    await user.click(screen.getByLabelText('Gespeicherter Stand: 5,25'))
    await user.click(screen.getByRole('button', { name: 'Auswahl speichern' }))
    await waitFor(() => expect(db.articles[1]).toMatchObject({ version: 3, material: { name: 'S355J2' }, weight_per_base_unit: '5.25' }))
  })

  it('asks only for the value that both have changed, and merges the others', async () => {
    const { user } = renderApp('/articles/1')
    const row = db.articles[0]
    const [height, width, wall] = row?.values ?? []
    if (!row || !height || !width || !wall) throw new Error('no article')
    await user.type(await screen.findByRole('textbox', { name: /^Höhe/ }), '{Backspace}5')
    await user.type(screen.getByRole('textbox', { name: /^Breite/ }), '{Backspace}5')
    const values = [{ ...height, number: '61' }, width, { ...wall, number: '5' }, ...row.values.slice(3)]
    Object.assign(row, { version: 2, values })
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    const question = await screen.findByRole('radiogroup', { name: 'Werte: Höhe' })
    expect(within(question).getByLabelText('Ihre Eingabe: 65 mm')).toBeChecked()
    await user.click(within(question).getByLabelText('Gespeicherter Stand: 61 mm'))
    expect(screen.getAllByRole('radiogroup')).toHaveLength(1)
    expect(screen.getByText('Werte: Wanddicke: 5 mm')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Auswahl speichern' }))
    await waitFor(() => expect(db.articles[0]?.version).toBe(3))
    expect(db.articles[0]?.values.slice(0, 3).map(({ number }) => number)).toEqual(['61', '45', '5'])
  })

  it('shows errors of the server at a value and at a number from the template', async () => {
    server.use(
      http.put('*/api/admin/articles/1', () =>
        HttpResponse.json(
          {
            code: 'invalid',
            message: '',
            errors: { 'values.1.number': ['Zu genau'], 'values.3.option_id': ['Unbekannt'], article_number: ['Vergeben'] },
            request_id: '1',
          },
          { status: 422 },
        ),
      ),
    )
    const { user } = renderApp('/articles/1')
    const width = await screen.findByRole('textbox', { name: /^Breite/ })
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(width).toHaveAccessibleDescription('Zu genau'))
    expect(screen.getByRole('combobox', { name: /^Oberfläche/ })).toHaveAccessibleDescription('Unbekannt')
    expect(screen.getByRole('textbox', { name: /^Artikelnummer/ })).toHaveAccessibleDescription('Vergeben')
  })
})

describe('a number that is taken', () => {
  const link = () => screen.findByRole('link', { name: /^HP-60x40x4-O1 \(/ })

  it('shows a link to the article that has it, before the form is sent', async () => {
    const { user } = renderApp('/articles/2')
    const own = await screen.findByRole('switch', { name: 'Artikelnummer: Aus der Vorlage' })
    await user.click(own)
    const number = screen.getByRole('textbox', { name: /^Artikelnummer/ })
    expect(screen.queryByText('Schon vergeben an')).not.toBeInTheDocument()
    await user.clear(number)
    await user.type(number, 'hp-60X40x4-o1')
    expect(await link()).toHaveAttribute('href', '/articles/1')
    expect(await link()).toHaveAttribute('target', '_blank')
    await user.type(number, '9')
    await waitFor(() => expect(screen.queryByText('Schon vergeben an')).not.toBeInTheDocument())
  })

  it('shows the link for one of the other numbers only after the refusal', async () => {
    server.use(
      http.put('*/api/admin/articles/2', () =>
        HttpResponse.json(
          {
            code: 'invalid',
            message: '',
            errors: { 'other_numbers.0.number': ['Diese Nummer hat schon ein anderer Artikel'] },
            taken_by: { 'other_numbers.0.number': 1 },
            request_id: '1',
          },
          { status: 422 },
        ),
      ),
    )
    const { user } = renderApp('/articles/2')
    await user.click(within(await screen.findByRole('group', { name: /^Weitere Nummern/ })).getByRole('button', { name: 'Hinzufügen' }))
    const row = within(screen.getByRole('group', { name: 'Nummer 1' }))
    await user.selectOptions(row.getByRole('combobox'), 'Weitere Nummer')
    await user.type(row.getByRole('textbox'), 'RR 60')
    expect(requests).not.toContain('GET /api/admin/articles/1')
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    expect(await link()).toHaveAttribute('href', '/articles/1')
  })
})

describe('picture', () => {
  const version = { version: 'b2', width: 240, height: 240 }

  it('is that of the category, or of one of its parents', async () => {
    const [first, second, third] = db.categories
    if (!first || !second || !third) throw new Error('no categories')
    Object.assign(second, { article_type: { id: 1, name: 'Hohlprofil' }, image: version })
    Object.assign(third, { article_type_image: version })
    const from = { id: third.id, name: third.name }
    Object.assign(first, {
      article_type: { id: 1, name: 'Hohlprofil' },
      inherited: { ...first.inherited, article_type_image: { ...version, from } },
    })
    renderApp('/articles/1')
    // the category's picture of its articles takes precedence over the category's own
    expect(await screen.findByRole('img', { name: `Bild der Kategorie „${third.name}“` })).toBeInTheDocument()
    await waitFor(() => expect(requests).toContain(`GET /api/admin/categories/${third.id}/article-type-image?v=b2`))
  })

  it('is not requested for users who may not see categories', async () => {
    const staff = db.users.find(({ email }) => email === USERS.staff)
    if (staff) staff.permissions = staff.permissions.filter(({ name }) => !name.startsWith('category'))
    renderApp('/articles/1', 'staff')
    await screen.findByLabelText('Oberfläche')
    expect(requests.filter((request) => request.includes('/categories'))).toEqual([])
  })
})

describe('a duplicate', () => {
  it('has the values of the other article, but not its overridden ones', async () => {
    following({ article_number: 'HP-100x40x4-O1' })
    const { user, search, path } = renderApp('/articles?f.article_type_id=1')
    await user.click(await screen.findByRole('button', { name: 'Aktionen für HP-100x40x4-O1' }))
    await user.click(screen.getByRole('menuitem', { name: 'Duplizieren' }))
    expect(await screen.findByText('Kopie von HP-100x40x4-O1')).toBeInTheDocument()
    const wall = await screen.findByRole('textbox', { name: /^Wanddicke/ })
    expect(wall).toHaveValue('4')
    expect(screen.getByRole('switch', { name: 'Bezeichnung: Aus der Vorlage' })).toBeChecked()
    expect(screen.getByRole('switch', { name: 'Metergewicht: Aus den Attributen' })).toBeChecked()
    expect(await screen.findByRole('link', { name: /^HP-100x40x4-O1 \(/ })).toHaveAttribute('href', '/articles/2')
    following({ article_number: 'HP-100x40x5-O1' })
    await user.type(wall, '{Backspace}5')
    await waitFor(() => expect(screen.getByRole('textbox', { name: /^Artikelnummer/ })).toHaveValue('HP-100x40x5-O1'))
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(path()).toBe('/articles'))
    expect(search()).toBe('?f.article_type_id=1')
    const { id: _, ...other } = db.articles[1] as Article
    expect(db.articles[2]).toMatchObject({
      article_number_overridden: false,
      article_name_overridden: false,
      weight_per_base_unit_overridden: false,
      material: other.material,
      other_numbers: [],
    })
  })

  it('can be created from the drawer as well, by users who may create articles', async () => {
    const { user, router } = renderApp('/articles/1')
    await user.click(await screen.findByRole('link', { name: 'Duplizieren' }))
    expect(await screen.findByText('Kopie von HP-60x40x4-O1')).toBeInTheDocument()
    expect(screen.getByRole('heading', { name: 'Neuer Artikel' })).toBeInTheDocument()
    expect(router.state.location.pathname + router.state.location.search).toBe('/articles/new?from=1')
  })

  it('is not offered to read-only users', async () => {
    renderApp('/articles/1', 'staff')
    await screen.findByLabelText('Oberfläche')
    expect(screen.queryByRole('link', { name: 'Duplizieren' })).not.toBeInTheDocument()
  })
})

describe('other numbers', () => {
  const row = (number: number) => within(screen.getByRole('group', { name: `Nummer ${number}` }))

  it('are added and removed by keyboard, and sent unchanged', async () => {
    const { user } = renderApp('/articles/1')
    expect(await screen.findByRole('group', { name: 'Nummer 1' })).toBeInTheDocument()
    expect(row(1).getByRole('combobox', { name: /^Art/ })).toHaveDisplayValue('Frühere Nummer')
    const numbers = screen.getByRole('group', { name: /^Weitere Nummern/ })
    within(numbers).getByRole('button', { name: 'Hinzufügen' }).focus()
    await user.keyboard('{Enter}')
    const kind = row(2).getByRole('combobox', { name: /^Art/ })
    expect(kind).toHaveFocus()
    expect(
      within(kind)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Frühere Nummer', 'GTIN (EAN)', 'Zeichnungsnummer', 'Weitere Nummer'])
    await user.tab()
    await user.keyboard('4 006381 333931')
    within(numbers).getByRole('button', { name: 'Hinzufügen' }).focus()
    await user.keyboard('{Enter}')
    await user.selectOptions(row(3).getByRole('combobox', { name: /^Art/ }), 'Zeichnungsnummer')
    await user.type(row(3).getByRole('textbox', { name: /^Nummer/ }), 'Z-4711/a')
    row(1).getByRole('button', { name: 'Nummer 1 entfernen' }).focus()
    await user.keyboard('{Enter}')
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() =>
      expect(db.articles[0]?.other_numbers).toEqual([
        { kind: 'gtin', number: '4 006381 333931' },
        { kind: 'drawing', number: 'Z-4711/a' },
      ]),
    )
  })

  it('show their errors at their rows', async () => {
    const { user } = renderApp('/articles/1')
    const add = within(await screen.findByRole('group', { name: /^Weitere Nummern/ })).getByRole('button', { name: 'Hinzufügen' })
    await user.click(add)
    const number = row(2).getByRole('textbox', { name: /^Nummer/ })
    await user.type(number, '4006381333932')
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(number).toHaveAccessibleDescription('Die Prüfziffer stimmt nicht: Auf 400638133393 folgt 1'))
    await user.type(number, '{Backspace}{Backspace}')
    expect(number).toHaveAccessibleDescription('Eine GTIN (EAN) hat 8, 12, 13 oder 14 Ziffern')
    await user.type(number, '31')
    expect(number).not.toHaveAccessibleDescription(/./)
    await user.click(add)
    const second = row(3).getByRole('textbox', { name: /^Nummer/ })
    await user.type(second, '04006381333931')
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(second).toHaveAccessibleDescription('Dieser Wert kommt mehrfach vor'))
    await user.clear(second)
    await user.type(second, '96385074')
    server.use(
      http.put('*/api/admin/articles/1', () =>
        HttpResponse.json(
          { code: 'invalid', message: '', errors: { 'other_numbers.2.number': ['Diese Nummer hat schon der Artikel X'] }, request_id: '1' },
          { status: 422 },
        ),
      ),
    )
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(second).toHaveAccessibleDescription('Diese Nummer hat schon der Artikel X'))
  })

  it('are shown to read-only users', async () => {
    renderApp('/articles/1', 'staff')
    expect(await screen.findByLabelText('Frühere Nummer')).toHaveValue('RR 60x40x4')
  })
})

describe('material', () => {
  it('is required if a template contains it', async () => {
    following({ material_required: true })
    const { user } = renderApp('/articles/1')
    const material = await screen.findByRole('combobox', { name: /^Werkstoff/ })
    await waitFor(() => expect(material).toHaveAttribute('aria-required', 'true'))
    await user.clear(material)
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(material).toHaveAccessibleDescription('Pflichtfeld'))
    expect(requests.filter((request) => request.startsWith('PUT'))).toEqual([])
  })
})

describe('weight', () => {
  const weight = () => screen.findByRole('textbox', { name: /^Metergewicht/ })

  it('follows from section and density, and shows missing ones', async () => {
    Object.assign(db.articles[0] as Article, { section: 'hollow_cold', weight_per_base_unit: null })
    Object.assign(db.materials[0] as Material, { density: null })
    const { user } = renderApp('/articles/1')
    expect(await screen.findByRole('switch', { name: 'Metergewicht: Aus Querschnitt und Dichte' })).toBeChecked()
    const field = await weight()
    await waitFor(() => expect(field).toHaveAccessibleDescription('Zum Werkstoff S235JR ist keine Dichte eingetragen.'))
    const material = screen.getByRole('combobox', { name: 'Werkstoff' })
    await user.clear(material)
    await waitFor(() => expect(field).toHaveAccessibleDescription('Ohne Werkstoff fehlt die Dichte.'))
  })

  it('shows the derived value beside an overridden one', async () => {
    following({ weight_per_base_unit: '5.5' })
    renderApp('/articles/2')
    const field = await weight()
    await waitFor(() => expect(field).toHaveAccessibleDescription('Eigener Wert. Aus den Attributen: 5,5\u00a0kg/m'))
  })
})

describe('quantities', () => {
  const amount = () => screen.findByRole('textbox', { name: 'Menge' })
  const echo = () => within(screen.getByRole('region', { name: 'Mengenrechner' })).getByRole('status')

  it('are shown in all other units of the article', async () => {
    const relations = [
      { of: 'piece', amount: '12.1', unit: 'm' },
      { of: 'm', amount: '5.5', unit: 'kg' },
    ] as const
    const counted = (...equivalents: QuantityEquivalents['equivalents']) =>
      mockAnswer('/api/admin/articles/{id}/quantities', { equivalents, relations: [...relations], sheet: null })
    counted({ amount: '36.3', unit: 'm' }, { amount: '199.65', unit: 'kg' })
    const { user } = renderApp('/articles/1')
    await waitFor(() => expect(screen.getByLabelText('Einheit: Menge')).toHaveValue('piece'))
    const input = await amount()
    await user.clear(input)
    await user.type(input, '3')
    await waitFor(() => expect(echo()).toHaveTextContent('3 Stück = 36,3 m = 199,65 kg'))
    expect(echo()).toHaveTextContent('1 Stück = 12,1 m · 1 m = 5,5 kg')
    counted({ amount: '45.078888', unit: 'piece' }, { amount: '545.454545', unit: 'm' })
    await user.selectOptions(screen.getByLabelText('Einheit: Menge'), 't')
    await waitFor(() => expect(echo()).toHaveTextContent('3 t = 45,079 Stück = 545,455 m'))
    expect(input).toHaveAccessibleDescription(/3\st = 45,079\sStück = 545,455\sm\s*1\sStück = 12,1\sm · 1\sm = 5,5\skg/)
  })

  it('include the format of a sheet and the weight of a piece', async () => {
    mockAnswer('/api/admin/articles/{id}/quantities', {
      equivalents: [],
      relations: [
        { of: 'piece', amount: '2', unit: 'm2' },
        { of: 'm2', amount: '7.85', unit: 'kg' },
      ],
      sheet: { length: '2000', width: '1000', weight: '15.7' },
    })
    renderApp('/articles/1')
    await amount()
    await waitFor(() => expect(echo()).toHaveTextContent('1 Stück (2.000 x 1.000 mm) = 2 m² = 15,7 kg · 1 m² = 7,85 kg'))
  })

  it('are refused at the field if invalid, and Enter does not save the article', async () => {
    const { user } = renderApp('/articles/1')
    await waitFor(() => expect(screen.getByLabelText('Einheit: Menge')).toHaveValue('m'))
    const input = await amount()
    await user.clear(input)
    expect(input).toHaveAccessibleDescription('Pflichtfeld')
    await user.type(input, '1x{Enter}')
    expect(input).toHaveAccessibleDescription('Bitte geben Sie eine Zahl ein, zum Beispiel 12,5')
    await user.clear(input)
    await user.type(input, '-1')
    expect(input).toHaveAccessibleDescription('Der Wert muss mindestens 0 sein')
    server.use(
      http.post('*/api/admin/articles/1/quantities', () =>
        HttpResponse.json({ code: 'invalid', message: '', errors: { amount: ['Zu groß'] }, request_id: '1' }, { status: 422 }),
      ),
    )
    await user.clear(input)
    await user.type(input, '-3')
    expect(input).toHaveAccessibleDescription('Der Wert muss mindestens 0 sein')
    await user.clear(input)
    await user.type(input, '999999999999')
    await waitFor(() => expect(input).toHaveAccessibleDescription('Zu groß'))
    expect(requests.filter((request) => request.startsWith('PUT'))).toEqual([])
  })

  it('include the commercial length of an article with a length', async () => {
    Object.assign(db.articles[0] as Article, { trade_dimension: { short_code: 'L12', calculation_value: '12.1' } })
    renderApp('/articles/1', 'staff')
    expect(await screen.findByText('Bereich L12 der Handelslänge: Je Stück werden 12,1 m berechnet.')).toBeInTheDocument()
    expect(await amount()).toBeEnabled()
  })
})

describe('rights', () => {
  it('shows a read-only article without loading attributes', async () => {
    renderApp('/articles/1', 'staff')
    expect(await screen.findByLabelText('Oberfläche')).toHaveValue('walzroh')
    expect(screen.getByLabelText('Höhe')).toHaveValue('60 mm')
    expect(screen.getByLabelText('Höhe')).toBeDisabled()
    expect(screen.queryByRole('button', { name: 'Speichern' })).not.toBeInTheDocument()
    expect(requests.filter((request) => request.includes('/attributes'))).toEqual([])
  })
})
