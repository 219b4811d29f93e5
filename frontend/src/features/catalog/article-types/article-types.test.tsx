import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import {
  type ArticleEffect,
  type ArticleTypeInput,
  type ArticleTypePreview,
  type Attribute,
  type Dimension,
  type Shape,
  shapeValues,
  type Unit,
  type UnitOfMeasure,
  unitValues,
} from '~/api/schema'
import { splitDifference } from '~/features/catalog/shared/effect/split-difference'
import { http as contract, problem } from '~/mocks/server'
import { renderApp } from '~/test/render'
import { readRules } from '~/test/rules'
import { db, deferredAnswer, mockAnswer, requests, server } from '~/test/server'
import { type ArticleTypeForm, articleTypeSchema, convertibleUnits, toForm } from './schema'
import { canBeWeighedIn, missingDimensions, REQUIRED_DIMENSIONS } from './shape'
import { insertables } from './templates'

const number = () => screen.findByLabelText(/^Vorlage für die Nummer/)

const placeholderOf = (placeholder: string, name: string, used_in_number: boolean) => ({
  placeholder,
  name,
  used_in_number,
  used_in_name: false,
})
const previewed = (preview: Partial<ArticleTypePreview>) =>
  mockAnswer('/api/admin/article-types/preview', { problems: {}, missing_primary: [], placeholders: [], examples: [], ...preview })
const example = (article_number: string) => ({ article_id: null, article_number, article_name: 'Beispiel', piece: null })

describe('rules', () => {
  const attribute = (attribute_id: number, primary: boolean, dimension: Dimension | '' = '') => ({
    attribute_id,
    primary,
    name: 'a',
    placeholder: 'a',
    type: 'metric' as const,
    dimension,
  })
  const measured = (...dimensions: Dimension[]) => dimensions.map((dimension, at) => attribute(at + 1, true, dimension))
  const missing = ['section', 'articleTypes:dimensionMissing']
  const filled = {
    ...toForm(null),
    name: 'A',
    base_unit_of_measure: 'm',
    listing_unit_of_measure: 'm',
    price_unit_of_measure: 't',
    article_number_template: 'A',
    article_name_template: 'A',
    attributes: [attribute(1, true)],
  } as const
  const issues = (form: object) =>
    articleTypeSchema.safeParse({ ...filled, ...form }).error?.issues.map((issue) => [issue.path.join('.'), issue.message]) ?? []

  it.each([
    ['complete', {}, []],
    ['no attributes', { attributes: [] }, [['attributes', 'atLeast?min=1']]],
    ['no primary attribute', { attributes: [attribute(1, false)] }, [['attributes', 'primaryRequired']]],
    ['no unit', { base_unit_of_measure: '' }, [['base_unit_of_measure', 'required']]],
    ['a section that nothing measures', { section: 'flat' }, [missing]],
    ['a section that is measured in part', { section: 'tube', attributes: measured('diameter') }, [missing]],
    ['a section that is measured', { section: 'tube', attributes: measured('diameter', 'thickness') }, []],
    ['a beam without its radius', { section: 'beam', attributes: measured('height', 'width', 'web_thickness', 'flange_thickness') }, []],
    [
      'two attributes that measure the same',
      { attributes: measured('width', 'length', 'width') },
      [['attributes.2.dimension', 'duplicate']],
    ],
    [
      'a bar kept in square metres',
      { section: 'round', attributes: measured('diameter'), base_unit_of_measure: 'm2' },
      [['base_unit_of_measure', 'articleTypes:sectionBaseUnit?context=bar']],
    ],
    [
      'a sheet kept in metres',
      { section: 'sheet', attributes: measured('thickness') },
      [['base_unit_of_measure', 'articleTypes:sectionBaseUnit?context=sheet']],
    ],
    [
      'a chequered plate kept in metres',
      { section: 'tear_plate', attributes: measured('thickness') },
      [['base_unit_of_measure', 'articleTypes:sectionBaseUnit?context=sheet']],
    ],
    ['a trade dimension without a length', { trade_dimension_id: 1 }, [['trade_dimension_id', 'articleTypes:lengthMissing']]],
    ['a trade dimension of lengths', { trade_dimension_id: 1, attributes: measured('length') }, []],
    ['no template', { article_number_template: ' ' }, [['article_number_template', 'required']]],
  ])('%s', (_name, form, expected) => {
    expect(issues(form)).toEqual(expected)
  })

  it('has the same shapes as the server', () => {
    const { shapes } = readRules<{ shapes: { shape: Shape; needs: Dimension[]; unweighed: Unit[] }[] }>('shape.json')
    expect(shapes.map(({ shape }) => shape)).toEqual(shapeValues)
    for (const { shape, needs, unweighed } of shapes) {
      expect([shape, REQUIRED_DIMENSIONS[shape]]).toEqual([shape, needs])
      expect([shape, unitValues.filter((unit) => !canBeWeighedIn(shape, unit))]).toEqual([shape, unweighed])
    }
  })

  it('sends only the fields of the contract for an attribute', () => {
    expect(articleTypeSchema.parse(filled).attributes).toEqual([{ attribute_id: 1, primary: true, dimension: null }])
  })

  it('offers the units into which the base unit can be converted', () => {
    const units = ['mm', 'm', 'kg', 'm2', 'piece'] as const
    const categories = ['length', 'length', 'mass', 'area', 'pieces'] as const
    const all = units.map((unit, at) => ({ unit, category: categories[at] }) as UnitOfMeasure)
    const { attributes, ...nothing } = { section: '', attributes: [] } as Pick<ArticleTypeForm, 'section' | 'attributes'>
    const beside = (base: string, measured: object = {}) =>
      convertibleUnits(base, { ...nothing, attributes, ...measured }, all).map(({ unit }) => unit)
    expect(beside('m')).toEqual(['mm', 'm', 'kg', 'piece'])
    expect(beside('piece')).toEqual(['kg', 'piece'])
    expect(beside('piece', { attributes: [{ dimension: 'length' }] })).toEqual(['mm', 'm', 'kg', 'piece'])
    expect(beside('piece', { attributes: [{ dimension: 'format' }] })).toEqual(['mm', 'm', 'kg', 'piece'])
    expect(beside('kg', { section: 'sheet' })).toEqual(['kg', 'm2', 'piece'])
    expect(beside('kg', { section: 'tear_plate' })).toEqual(['kg', 'm2', 'piece'])
    expect(beside('kg', { section: 'tee' })).toEqual(['mm', 'm', 'kg', 'piece'])
    expect(beside('')).toEqual([])
  })

  it('finds the width of a flat in its format', () => {
    expect(missingDimensions('flat', [{ dimension: 'thickness' }])).toEqual(['width'])
    expect(missingDimensions('flat', [{ dimension: 'thickness' }, { dimension: 'format' }])).toEqual([])
    expect(missingDimensions('flat', [{ dimension: 'format' }, { dimension: null }])).toEqual(['thickness'])
  })

  it('requires primary attributes only in the number', () => {
    const preview = {
      problems: {},
      missing_primary: [{ attribute_id: 1, name: 'Höhe', placeholder: 'hoehe' }],
      placeholders: [{ placeholder: 'hoehe', name: 'Höhe', used_in_number: false, used_in_name: true }],
      examples: [],
    }
    expect(insertables(preview, 'article_number_template')[0]?.state).toBe('missing')
    expect(insertables(preview, 'article_name_template')[0]?.state).toBe('used')
  })
})

it('requests the list with the parameters of the address', async () => {
  renderApp('/articleTypes?sort=-updated_at&f.name=profil&f.base_unit_of_measure=m')
  expect(await screen.findByRole('link', { name: 'Hohlprofil' })).toBeInTheDocument()
  expect(requests.find((request) => request.startsWith('GET /api/admin/article-types?'))).toBe(
    'GET /api/admin/article-types?page[number]=1&page[size]=40&sort=-updated_at&filter[name]=profil&filter[base_unit_of_measure]=m',
  )
  expect(screen.queryByRole('link', { name: 'Flachstahl' })).not.toBeInTheDocument()
})

describe('form', () => {
  it('inserts a missing primary attribute at the cursor', async () => {
    previewed({
      problems: { article_number_template: ['Es fehlen: Höhe'] },
      missing_primary: [{ attribute_id: 1, name: 'Höhe', placeholder: 'hoehe' }],
      placeholders: [placeholderOf('hoehe', 'Höhe', false), placeholderOf('breite', 'Breite', true)],
    })
    const { user } = renderApp('/articleTypes/2')
    const input = (await number()) as HTMLInputElement
    await user.click(screen.getByRole('combobox', { name: 'Attribut hinzufügen' }))
    await user.click(await within(await screen.findByRole('listbox')).findByRole('option', { name: 'Höhe' }))
    const missing = await screen.findByRole('button', { name: 'Höhe einfügen, fehlt noch' })
    expect(input).toHaveAccessibleDescription('Es fehlen: Höhe')
    await user.click(input)
    input.setSelectionRange(3, 3)
    previewed({
      placeholders: [placeholderOf('hoehe', 'Höhe', true), placeholderOf('breite', 'Breite', true)],
      examples: [example('FL-100100')],
    })
    await user.click(missing)
    expect(input).toHaveValue('FL-{hoehe}{breite}')
    expect(input).toHaveFocus()
    await waitFor(() => expect(input).not.toHaveAccessibleDescription('Es fehlen: Höhe'))
    expect(await screen.findByText('FL-100100')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(db.articleTypes[1]?.version).toBe(2))
    expect(db.articleTypes[1]?.attributes.map(({ name, primary }) => [name, primary])).toEqual([
      ['Breite', true],
      ['Höhe', true],
    ])
  })

  it('shows placeholders in the words of the user, and sends their stored names', async () => {
    previewed({ placeholders: [placeholderOf('breite', 'Breite', true), placeholderOf('material', 'Werkstoff', false)] })
    const { user } = renderApp('/articleTypes/2')
    const input = (await number()) as HTMLInputElement
    await user.click((await screen.findAllByRole('button', { name: 'Werkstoff einfügen' }))[0] as HTMLElement)
    expect(input).toHaveValue('FL-{breite}{werkstoff}')
    await user.clear(input)
    await user.type(input, 'F-{{breite}-{{material}')
    expect(input).toHaveValue('F-{breite}-{material}')
    await user.tab()
    expect(input).toHaveValue('F-{breite}-{werkstoff}')
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(db.articleTypes[1]?.article_number_template).toBe('F-{breite}-{material}'))
  })

  it('does not change a template during input, even if the words of the user arrive late', async () => {
    const { opened, open } = deferredAnswer()
    const placeholders = [placeholderOf('breite', 'Breite', true), placeholderOf('material', 'Werkstoff', true)]
    server.use(
      http.post('/api/admin/article-types/preview', async () => {
        await opened
        return HttpResponse.json({ problems: {}, missing_primary: [], placeholders, examples: [] })
      }),
    )
    const [, flat] = db.articleTypes
    if (flat) flat.article_number_template = 'FL-{breite}-{material}'
    const { user } = renderApp('/articleTypes/2')
    const input = (await number()) as HTMLInputElement
    await user.click(input)
    input.select()
    open()
    await screen.findAllByRole('button', { name: 'Werkstoff einfügen' })
    expect(input).toHaveValue('FL-{breite}-{material}')
    await user.keyboard('F-{{breite}-{{werkstoff}')
    expect(input).toHaveValue('F-{breite}-{werkstoff}')
  })

  it('does not offer an attribute twice', async () => {
    const { user } = renderApp('/articleTypes/2')
    await user.click(await screen.findByRole('combobox', { name: 'Attribut hinzufügen' }))
    const offered = within(await screen.findByRole('listbox'))
    await offered.findByRole('option', { name: 'Höhe' })
    expect(offered.queryByRole('option', { name: 'Breite' })).not.toBeInTheDocument()
  })

  it('moves and removes attributes', async () => {
    const { user } = renderApp('/articleTypes/1')
    const menu = async (name: string, action: string) => {
      await user.click(await screen.findByRole('button', { name: `Aktionen für ${name}` }))
      return screen.findByRole('menuitem', { name: new RegExp(`^${action}`) })
    }
    await user.click(await menu('Bemerkung', 'Ganz nach oben'))
    // values of its articles would be lost
    expect(await menu('Bemerkung', 'Aus dem Artikeltyp entfernen')).toHaveAttribute('aria-disabled', 'true')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('combobox', { name: 'Attribut hinzufügen' })).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(db.articleTypes[0]?.attributes.map(({ name }) => name)[0]).toBe('Bemerkung'))
  })

  it('assigns attributes to the dimensions of a section, each dimension once', async () => {
    const { user } = renderApp('/articleTypes/2')
    await user.click(await screen.findByRole('combobox', { name: /^Querschnitt/ }))
    await user.click(await screen.findByRole('option', { name: 'Flachstahl' }))
    const needs = screen.getByRole('list', { name: 'Maße des Querschnitts' })
    expect(needs).toHaveTextContent('Breite fehltDicke fehlt')
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Bedeutung von Breite' }), 'Breite')
    expect(needs).toHaveTextContent('BreiteDicke fehlt')
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    const section = screen.getByRole('combobox', { name: /^Querschnitt/ })
    await waitFor(() => expect(section).toHaveAccessibleDescription('Für das Gewicht fehlen Attribute mit dieser Bedeutung: Dicke'))
    await user.click(screen.getByRole('combobox', { name: 'Attribut hinzufügen' }))
    await user.click(await screen.findByRole('option', { name: 'Wanddicke' }))
    const wall = await screen.findByRole('combobox', { name: 'Bedeutung von Wanddicke' })
    expect(within(wall).getByRole('option', { name: 'Breite (schon bei Breite)' })).toBeDisabled()
    // its name gives the dimension
    expect(wall).toHaveDisplayValue('Dicke')
    await waitFor(() => expect(section).not.toHaveAccessibleDescription(/fehlen/))
    expect(needs).toHaveTextContent('BreiteDicke')
  })

  it('has a commercial length once an attribute measures the length', async () => {
    const { user } = renderApp('/articleTypes/2')
    const ladder = await screen.findByRole('combobox', { name: 'Handelslänge' })
    expect(ladder).toBeDisabled()
    expect(ladder).toHaveAccessibleDescription(/Geben Sie zuerst einem Attribut die Bedeutung/)
    const width = await screen.findByRole('combobox', { name: 'Bedeutung von Breite' })
    await user.selectOptions(width, 'Länge')
    await user.click(ladder)
    await user.click(await within(await screen.findByRole('listbox')).findByRole('option', { name: 'Träger' }))
    await user.selectOptions(width, 'Breite')
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() =>
      expect(ladder).toHaveAccessibleDescription(/nur für Artikeltypen, bei denen ein Attribut die Bedeutung „Länge“ hat/),
    )
    await user.selectOptions(width, 'Länge')
    await waitFor(() => expect(ladder).toHaveAccessibleDescription(/^Bestimmt die Abrechnungslänge/))
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(db.articleTypes[1]?.trade_dimension).toMatchObject({ id: 1 }))
  })

  it('offers no dimension for attributes that are not lengths', async () => {
    const { user } = renderApp('/articleTypes/1')
    await user.click(await screen.findByRole('combobox', { name: 'Bedeutung von Höhe' }))
    for (const name of ['Oberfläche', 'Bemerkung']) {
      expect(screen.queryByRole('combobox', { name: `Bedeutung von ${name}` })).not.toBeInTheDocument()
    }
  })

  it('counts in pieces by a format option, and shows the size of a piece', async () => {
    const format = { id: 91, name: '1000 x 2000', value: '1000x2000', display_value: null, weight_per_base_unit: null }
    db.attributes.push({ ...(db.attributes[3] as Attribute), id: 9, name: 'Format', placeholder: 'format', options: [format] })
    previewed({ examples: [{ ...example('BL-1000x2000'), piece: { amount: '2', unit: 'm2' } }] })
    const { user } = renderApp('/articleTypes/2')
    await user.click(await screen.findByRole('combobox', { name: 'Attribut hinzufügen' }))
    await user.click(await screen.findByRole('option', { name: 'Format' }))
    const meaning = await screen.findByRole('combobox', { name: 'Bedeutung von Format' })
    expect(meaning).toHaveDisplayValue('Format (Länge x Breite)')
    expect(within(meaning).getAllByRole('option')).toHaveLength(2)
    expect(await screen.findByText('1 Stück = 2 m²')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(db.articleTypes[1]?.attributes.at(-1)).toMatchObject({ attribute_id: 9, dimension: 'format' }))
  })

  it('belongs to a group, and lists are filtered by it', async () => {
    const { user, router } = renderApp('/articleTypes/2')
    await user.click(await screen.findByRole('combobox', { name: 'Gruppe' }))
    await user.click(await screen.findByRole('option', { name: 'Formstahl' }))
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(db.articleTypes[1]?.group).toMatchObject({ id: 1, name: 'Formstahl' }))
    await router.navigate('/articleTypes?f.article_type_group_id=1')
    await waitFor(() => expect(screen.getByText('Gruppe ist', { exact: false })).toHaveTextContent('Formstahl'))
    await waitFor(() => expect(requests).toContainEqual(expect.stringContaining('filter[article_type_group_id]=1')))
  })

  it('explains that the other units require a base unit', async () => {
    const { user } = renderApp('/articleTypes/new')
    const sold = await screen.findByLabelText(/^Verkaufseinheit/)
    expect(sold).toBeDisabled()
    expect(sold).toHaveAccessibleDescription('Wählen Sie zuerst die Basiseinheit.')
    await user.selectOptions(screen.getByLabelText(/^Basiseinheit/), 'm')
    expect(sold).toBeEnabled()
    expect(sold).toHaveAccessibleDescription('In dieser Einheit wird verkauft.')
  })

  it('clears units into which the new base unit cannot be converted', async () => {
    const { user } = renderApp('/articleTypes/2')
    const base = await screen.findByLabelText(/^Basiseinheit/)
    await within(base).findByRole('option', { name: 'm² – Quadratmeter' })
    await waitFor(() => expect(screen.getByLabelText(/^Verkaufseinheit/)).toHaveValue('m'))
    await user.selectOptions(base, 'm2')
    expect(screen.getByLabelText(/^Verkaufseinheit/)).toHaveValue('')
    expect(screen.getByLabelText(/^Preiseinheit/)).toHaveValue('t')
  })

  it('shows errors of the server at the list and at a template', async () => {
    server.use(
      http.put('*/api/admin/article-types/1', () =>
        HttpResponse.json(
          {
            code: 'invalid',
            message: '',
            errors: { attributes: ['Steht fest'], article_number_template: ['Wird verwendet'] },
            request_id: '1',
          },
          { status: 422 },
        ),
      ),
    )
    const { user } = renderApp('/articleTypes/1')
    const input = await number()
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(input).toHaveAccessibleDescription('Wird verwendet'))
    expect(screen.getByRole('group', { name: /^Attribute/ })).toHaveAccessibleDescription('Steht fest')
  })
})

describe('articles of a changed type', () => {
  const save = (name = 'Speichern') => screen.getByRole('button', { name })
  const PATH = '/api/admin/article-types/{id}'
  const renumbered = (problem: string | null = null): ArticleEffect['changes'] =>
    db.articles.map(({ id, article_number, article_name, weight_per_base_unit }) => ({
      article_id: id,
      article_number,
      article_name,
      base_unit_of_measure: 'm',
      weight_per_base_unit,
      new_article_number: problem ? 'HP' : `N${article_number}`,
      new_article_name: article_name,
      new_weight_per_base_unit: weight_per_base_unit,
      problem,
    }))
  /** Makes the server ask for confirmation, since `count` articles would change with the type. */
  function following(count: number) {
    const changes = renumbered().slice(0, count)
    mockAnswer(`${PATH}/effect`, { total: 2, unchanged: 2 - count, changed: count, refused: 0, changes })
    server.use(
      contract.put(PATH, async ({ request }) => {
        const { change_articles } = (await request.json()) as ArticleTypeInput
        const [type] = db.articleTypes
        if (!type || change_articles !== count) return problem(409, 'articles_change', `Damit ändern sich ${count} Artikel.`)
        return HttpResponse.json(Object.assign(type, { version: 2 }))
      }),
    )
  }

  it('are shown with their new names, and changed after confirmation', async () => {
    following(2)
    const { user, path } = renderApp('/articleTypes/1')
    const input = await number()
    await user.type(input, '{Home}N')
    await user.click(save())
    const question = within(await screen.findByRole('dialog', { name: '„Hohlprofil“ mit den Artikeln ändern?' }))
    expect(await question.findByText('2 Artikel geändert')).toBeInTheDocument()
    const [, first] = question.getAllByRole('row')
    expect(first).toHaveTextContent(
      'HP-60x40x4-O1 (in neuem Tab)Hohlprofil 60 x 40 x 45,5 kg/mNHP-60x40x4-O1Hohlprofil 60 x 40 x 45,5 kg/m',
    )
    expect(first?.querySelector('mark')).toHaveTextContent(/^N$/)
    expect(question.getByRole('link', { name: /^HP-60x40x4-O1/ })).toHaveAttribute('href', '/articles/1')
    // going back keeps the input
    await user.click(question.getByRole('button', { name: 'Zurück zum Formular' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /mit den Artikeln/ })).not.toBeInTheDocument())
    expect(input).toHaveValue('NHP-{hoehe}x{breite}x{wanddicke}-{oberflaeche}')
    expect(db.articleTypes[0]?.version).toBe(1)
    await user.click(save())
    await user.click(await screen.findByRole('button', { name: '2 Artikel ändern' }))
    await waitFor(() => expect(path()).toBe('/articleTypes'))
    expect(db.articleTypes[0]?.version).toBe(2)
  })

  it('are confirmed again if they have changed meanwhile', async () => {
    following(2)
    const { user } = renderApp('/articleTypes/1')
    await user.type(await number(), '{Home}N')
    await user.click(save())
    const confirm = await screen.findByRole('button', { name: '2 Artikel ändern' })
    following(1)
    await user.click(confirm)
    // the new number is shown while the first answer is still being refused
    const again = () => screen.getByRole('button', { name: '1 Artikel ändern' })
    await waitFor(() => expect(again()).toBeEnabled())
    await user.click(again())
    await waitFor(() => expect(db.articleTypes[0]?.version).toBe(2))
  })

  it('prevent a change that would make them collide, with an error at the field and their names', async () => {
    const changes = renumbered('Die Nummer HP hätten mehrere Artikel')
    mockAnswer(`${PATH}/effect`, { total: 2, unchanged: 0, changed: 0, refused: 2, changes })
    server.use(contract.put(PATH, () => problem(422, 'invalid', '', { article_number_template: ['2 Artikel kollidieren'] })))
    const { user } = renderApp('/articleTypes/1')
    const input = await number()
    await user.clear(input)
    await user.type(input, 'HP')
    await user.click(save())
    const question = within(await screen.findByRole('dialog', { name: '„Hohlprofil“ lässt sich so nicht ändern' }))
    expect(question.getByText('2 Artikel abgelehnt')).toBeInTheDocument()
    expect(question.getAllByText('Die Nummer HP hätten mehrere Artikel')).toHaveLength(2)
    expect(question.queryByRole('button', { name: /Artikel ändern/ })).not.toBeInTheDocument()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /so nicht/ })).not.toBeInTheDocument())
    expect(input).toHaveAccessibleDescription('2 Artikel kollidieren')
  })

  it.each([
    ['HP-60', 'HP_60', ['HP', '_', '60']],
    ['HP-60', 'HP-60', ['HP-60', '', '']],
    ['60', '6060', ['60', '60', '']],
    ['HP-60', 'FL', ['', 'FL', '']],
    ['HEB 200', 'HEB', ['HEB', '', '']],
  ])('%s becoming %s differs', (before, after, parts) => {
    expect(splitDifference(before, after)).toEqual(parts)
  })
})

describe('rights', () => {
  it('shows a type and its examples to a tenant read-only', async () => {
    previewed({ placeholders: [placeholderOf('hoehe', 'Höhe', true)], examples: [example('HP-100x100x100-100')] })
    renderApp('/articleTypes/1', 'tenantAdmin')
    expect(await number()).toBeDisabled()
    expect(await screen.findByText('HP-100x100x100-100')).toBeInTheDocument()
    for (const name of ['Speichern', 'Höhe verschieben', 'Höhe einfügen']) {
      expect(screen.queryByRole('button', { name })).not.toBeInTheDocument()
    }
  })
})

it('deletes by retyping the name, and only types without articles', async () => {
  const { user } = renderApp('/articleTypes')
  const remove = async (name: string) => {
    await user.click(await screen.findByRole('button', { name: `Aktionen für ${name}` }))
    return screen.findByRole('menuitem', { name: /^Löschen/ })
  }
  await user.click(await remove('Hohlprofil'))
  const dialog = await screen.findByRole('alertdialog', { name: '„Hohlprofil“ wird noch verwendet' })
  expect(within(dialog).getByRole('link', { name: 'HP-60x40x4-O1' })).toHaveAttribute('href', '/articles/1')
  await user.click(within(dialog).getByRole('button', { name: 'Schließen' }))
  await user.click(await remove('Flachstahl'))
  const question = await screen.findByRole('alertdialog', { name: '„Flachstahl“ löschen?' })
  const button = within(question).getByRole('button', { name: 'Löschen' })
  expect(button).toBeDisabled()
  await user.type(within(question).getByRole('textbox'), 'Flachstahl')
  await user.click(button)
  await waitFor(() => expect(db.articleTypes.map(({ name }) => name)).toEqual(['Hohlprofil']))
  expect(requests).toContain('DELETE /api/admin/article-types/2?confirm=Flachstahl')
})
