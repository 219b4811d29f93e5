import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { db, requests, server } from '~/test/server'

it('requests the list with the parameters of the address, and names the filters', async () => {
  renderApp('/articles?size=20&sort=-weight_per_base_unit&f.article_type_id=1&f.material_id=1&f.weight_per_base_unit.gte=5')
  expect(await screen.findByRole('link', { name: 'HP-60x40x4-O1' })).toBeInTheDocument()
  expect(requests.find((request) => request.startsWith('GET /api/admin/articles?'))).toBe(
    'GET /api/admin/articles?page[number]=1&page[size]=20&sort=-weight_per_base_unit' +
      '&filter[article_type_id]=1&filter[material_id]=1&filter[weight_per_base_unit_greater_equals]=5&include=values',
  )
  await waitFor(() => {
    expect(screen.getByText('Artikeltyp ist', { exact: false })).toHaveTextContent('Hohlprofil')
    expect(screen.getByText('Werkstoff ist', { exact: false })).toHaveTextContent('S235JR')
  })
  expect(screen.getAllByRole('cell', { name: /^5,5\s+kg\/m$/ })).toHaveLength(2)
})

it('is sorted by the names of types and materials', async () => {
  const { user, search } = renderApp('/articles')
  const sorted = async (name: string, direction: string) => {
    const header = await screen.findByRole('columnheader', { name: new RegExp(`^${name}`) })
    await user.click(within(header).getByRole('button'))
    await waitFor(() => expect(header).toHaveAttribute('aria-sort', direction))
  }
  await sorted('Artikeltyp', 'ascending')
  expect(search()).toBe('?sort=article_type')
  await waitFor(() => expect(requests.at(-1)).toContain('sort=article_type'))
  await sorted('Werkstoff', 'ascending')
  expect(search()).toBe('?sort=material')
  await sorted('Werkstoff', 'descending')
  await waitFor(() => expect(requests.at(-1)).toContain('sort=-material'))
})

it('offers the attributes of the filtered type as columns', async () => {
  const { user } = renderApp('/articles?f.article_type_id=1')
  await screen.findByRole('link', { name: 'HP-60x40x4-O1' })
  expect(screen.queryByRole('columnheader', { name: 'Höhe' })).not.toBeInTheDocument()
  await user.click(await screen.findByRole('button', { name: 'Spalten und Zeilenhöhe' }))
  await user.click(await screen.findByRole('checkbox', { name: 'Spalte „Höhe“ anzeigen' }))
  await user.click(screen.getByRole('checkbox', { name: 'Spalte „Oberfläche“ anzeigen' }))
  await user.keyboard('{Escape}')
  expect(await screen.findByRole('columnheader', { name: 'Höhe' })).toBeInTheDocument()
  expect(screen.getByRole('cell', { name: '60 mm' })).toBeInTheDocument()
  expect(screen.getAllByRole('cell', { name: 'walzroh' })).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Filter zurücksetzen' }))
  await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Höhe' })).not.toBeInTheDocument())
  expect(requests.at(-1)).not.toContain('include')
})

describe('filters by attribute', () => {
  const editor = async () => within(await screen.findByRole('dialog', { name: 'Filter' }))

  it('request the list with the parameters of the address, and show units and names', async () => {
    renderApp('/articles?f.attribute_1.gte=6.5+cm&f.attribute_4=verzinkt&f.category_id=1&f.article_type_group_id=1')
    await waitFor(() =>
      expect(screen.getByText('Höhe', { exact: false, selector: '.MuiChip-label' })).toHaveTextContent('Höhe mindestens 6,5 cm'),
    )
    expect(screen.getByText('Oberfläche', { exact: false, selector: '.MuiChip-label' })).toHaveTextContent('Oberfläche ist verzinkt')
    const listRequest = requests.find((request) => request.startsWith('GET /api/admin/articles?'))
    for (const part of [
      'filter[attribute][1_greater_equals]=6.5 cm',
      'filter[attribute][4]=verzinkt',
      'filter[category_id]=1',
      'filter[article_type_group_id]=1',
    ]) {
      expect(listRequest).toContain(part)
    }
  })

  it('consist of an attribute, a comparison and a number with its unit', async () => {
    const { user, search } = renderApp('/articles')
    await user.click(await screen.findByRole('button', { name: 'Filter' }))
    const form = await editor()
    await user.selectOptions(await form.findByLabelText('Feld'), 'attribute')
    await user.click(form.getByRole('button', { name: 'Anwenden' }))
    expect(search()).toBe('')
    await user.click(form.getByRole('combobox', { name: 'Attribut' }))
    await user.click(await screen.findByRole('option', { name: 'Höhe' }))
    await waitFor(() => expect(form.getByLabelText('Bedingung')).toHaveTextContent('mindestens'))
    await user.selectOptions(form.getByLabelText('Bedingung'), 'höchstens')
    const value = await form.findByRole('textbox', { name: 'Wert' })
    await user.type(value, 'hoch{Enter}')
    expect(value).toHaveAccessibleDescription('Bitte geben Sie einen gültigen Wert an')
    await user.clear(value)
    await user.type(value, '6,5')
    await user.selectOptions(form.getByLabelText('Einheit: Höhe'), 'cm')
    await user.click(form.getByRole('button', { name: 'Anwenden' }))
    await waitFor(() => expect(search()).toBe('?f.attribute_1.lte=6.5+cm'))
    await user.click(await screen.findByRole('button', { name: /^Höhe höchstens 6,5 cm/ }))
    expect(await (await editor()).findByRole('textbox', { name: 'Wert' })).toHaveValue('6,5')
  })

  it('belong to the filtered type, have a field each, and can be ranges', async () => {
    const { user, search } = renderApp('/articles?f.article_type_id=1')
    await screen.findByRole('link', { name: 'HP-60x40x4-O1' })
    await user.click(await screen.findByRole('button', { name: 'Filter' }))
    const form = await editor()
    const field = await form.findByLabelText('Feld')
    await within(field).findByRole('group', { name: 'Attribut' })
    await user.selectOptions(field, 'Höhe')
    expect(form.queryByRole('combobox', { name: 'Attribut' })).not.toBeInTheDocument()
    await form.findByRole('option', { name: 'von … bis' })
    await user.selectOptions(form.getByLabelText('Bedingung'), 'von … bis')
    await user.type(await form.findByLabelText('Von'), '5')
    await user.type(form.getByLabelText('Bis'), '8')
    for (const unit of form.getAllByLabelText('Einheit: Höhe')) await user.selectOptions(unit, 'cm')
    await user.click(form.getByRole('button', { name: 'Anwenden' }))
    await waitFor(() => expect(search()).toBe('?f.article_type_id=1&f.attribute_1.gte=5+cm&f.attribute_1.lte=8+cm'))
    await user.click(await screen.findByRole('button', { name: /^Höhe von 5 cm bis 8 cm/ }))
    expect(await (await editor()).findByLabelText('Feld')).toHaveDisplayValue('Höhe')
  })

  it('offer the options of an attribute, and only comparisons that it has', async () => {
    const { user, search } = renderApp('/articles')
    await user.click(await screen.findByRole('button', { name: 'Filter' }))
    const form = await editor()
    await user.selectOptions(await form.findByLabelText('Feld'), 'attribute')
    await user.click(form.getByRole('combobox', { name: 'Attribut' }))
    await user.click(await screen.findByRole('option', { name: 'Oberfläche' }))
    const value = await form.findByRole('combobox', { name: 'Wert' })
    await within(value).findByRole('option', { name: 'verzinkt' })
    const conditions = within(form.getByLabelText('Bedingung')).getAllByRole('option')
    expect(conditions.map((option) => option.textContent)).toEqual(['ist', 'ist nicht', 'ist leer', 'ist nicht leer'])
    await user.selectOptions(value, 'verzinkt')
    await user.click(form.getByRole('button', { name: 'Anwenden' }))
    await waitFor(() => expect(search()).toBe('?f.attribute_4=verzinkt'))
  })
})

it('suggests another search if nothing is found', async () => {
  server.use(
    http.get('*/api/admin/articles', ({ request }) => {
      if (new URL(request.url).searchParams.get('filter[search]') !== 'hbe 200') return undefined
      return HttpResponse.json({ data: [], meta: { current_page: 1, last_page: 1, per_page: 40, total: 0, suggestion: 'HEB 200' } })
    }),
  )
  const { user } = renderApp('/articles?f.search=hbe+200')
  await user.click(await screen.findByRole('button', { name: 'HEB 200' }))
  await waitFor(() => expect(requests.at(-1)).toContain('filter[search]=HEB 200'))
})

describe('values of many articles', () => {
  const patches: unknown[] = []
  async function dialog(path: string) {
    patches.length = 0
    const { user } = renderApp(path)
    await user.click(await screen.findByRole('checkbox', { name: 'Alle Einträge der Seite auswählen' }))
    await user.click(within(await screen.findByRole('region', { name: 'Auswahl' })).getByRole('button', { name: 'Ändern …' }))
    const form = within(await screen.findByRole('dialog', { name: '2 Einträge ändern' }))
    await user.selectOptions(await form.findByLabelText('Feld'), 'values')
    return { user, form, save: () => user.click(form.getByRole('button', { name: /ändern$/ })) }
  }

  it('are changed only in filled fields, for each article separately', async () => {
    server.use(
      http.get('*/api/admin/articles', ({ request }) =>
        new URL(request.url).searchParams.get('filter[id]') === '1,2'
          ? HttpResponse.json({ data: db.articles, meta: { current_page: 1, last_page: 1, per_page: 200, total: 2 } })
          : undefined,
      ),
      http.patch('*/api/admin/articles/:id', async ({ request, params }) => {
        patches.push([params.id, await request.json()])
        if (params.id === '1') return HttpResponse.json(db.articles[0])
        return HttpResponse.json(
          { code: 'invalid', message: '', errors: { article_number: ['Diese Artikelnummer ist bereits vergeben.'] }, request_id: '1' },
          { status: 422 },
        )
      }),
    )
    const { user, form, save } = await dialog('/articles?f.article_type_id=1')
    const wall = await form.findByRole('textbox', { name: 'Wanddicke' })
    await save()
    expect(await form.findByText('Bitte füllen Sie mindestens ein Feld aus')).toBeInTheDocument()
    await user.type(wall, '-1')
    await save()
    await waitFor(() => expect(wall).toHaveAccessibleDescription('Der Wert muss mindestens 0 sein'))
    await user.clear(wall)
    await user.type(wall, '0,5')
    await user.selectOptions(form.getByRole('combobox', { name: 'Oberfläche' }), 'verzinkt')
    await save()
    const outcome = within(await screen.findByRole('dialog', { name: '1 Eintrag bleibt unverändert' }))
    expect(outcome.getByRole('heading', { level: 3 })).toHaveTextContent('Diese Artikelnummer ist bereits vergeben.')
    expect(outcome.getByRole('link', { name: 'HP-100x40x4-O1' })).toBeInTheDocument()
    const own = { option_id: null, number: null, unit: null, text: null }
    const values = (height: string) => [
      { ...own, attribute_id: 1, number: height, unit: 'mm' },
      { ...own, attribute_id: 2, number: '40', unit: 'mm' },
      { ...own, attribute_id: 3, number: '0.5' },
      { ...own, attribute_id: 4, option_id: 4 },
      { ...own, attribute_id: 5, text: 'EN 10219' },
    ]
    expect(patches).toEqual([
      ['1', { version: 1, values: values('60') }],
      ['2', { version: 1, values: values('100') }],
    ])
  })

  it('are no longer sent once the server stops responding', async () => {
    let calls = 0
    server.use(
      http.get('*/api/admin/articles', ({ request }) =>
        request.url.includes('filter[id]') || request.url.includes('filter%5Bid%5D')
          ? HttpResponse.json({ data: db.articles, meta: { current_page: 1, last_page: 1, per_page: 200, total: 2 } })
          : undefined,
      ),
      http.patch('*/api/admin/articles/:id', () => {
        calls += 1
        return HttpResponse.error()
      }),
    )
    const { user, form, save } = await dialog('/articles?f.article_type_id=1')
    await user.type(await form.findByRole('textbox', { name: 'Wanddicke' }), '5')
    await save()
    expect(await screen.findByRole('dialog', { name: '2 Einträge bleiben unverändert' })).toBeInTheDocument()
    expect(calls).toBe(1)
  })

  it('require a list of one type', async () => {
    const { form, save } = await dialog('/articles')
    expect(await form.findByText(/Filtern Sie die Liste zuerst nach einem Artikeltyp/)).toBeInTheDocument()
    await save()
    expect(requests.filter((request) => request.startsWith('PATCH') || request.startsWith('POST'))).toEqual([])
  })
})

it('deletes by retyping the number', async () => {
  const { user } = renderApp('/articles')
  await user.click(await screen.findByRole('button', { name: 'Aktionen für HP-60x40x4-O1' }))
  await user.click(screen.getByRole('menuitem', { name: 'Löschen' }))
  const question = await screen.findByRole('alertdialog')
  await user.type(await within(question).findByRole('textbox'), 'HP-60x40x4-O1')
  await user.click(within(question).getByRole('button', { name: 'Löschen' }))
  await waitFor(() => expect(db.articles).toHaveLength(1))
  await waitFor(() => expect(requests).toContain('DELETE /api/admin/articles/1?confirm=HP-60x40x4-O1'))
})
