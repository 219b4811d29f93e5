import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { itKeepsRules } from '~/test/rules'
import { db, deferredAnswer, requests, server } from '~/test/server'
import { matches } from './matches'
import { categorySchema, toForm } from './schema'

const item = (name: string) => screen.findByRole('treeitem', { name: new RegExp(`^${name}`) })
/** Rows of the tree as shown, indented with dots. */
const drawn = () =>
  screen
    .getAllByRole('treeitem')
    .map((one) => '.'.repeat(Number(one.getAttribute('aria-level')) - 1) + (one.querySelector('p')?.textContent ?? ''))
const sent = (method: string) => requests.filter((request) => request.startsWith(`${method} /api/admin/categories`))
const WHOLE = ['Langprodukte', '.Träger', '..HEA', '..HEB', '..IPE', '.Stabstahl', 'Flachprodukte', '.Bleche']

describe('rules', () => {
  itKeepsRules('category.json', categorySchema, (input) => ({ ...toForm(null), ...input }), ['not_printable'])

  it.each([
    ['schnitt.svg', 'image/svg+xml', 10, 'image:type'],
    ['schnitt.png', 'image/png', 11 << 20, 'fileSize?max=10'],
    ['schnitt.webp', 'image/webp', 10 << 20, null],
  ])('%s', (name, type, size, message) => {
    const file = new File([new Uint8Array(size)], name, { type })
    const result = categorySchema.safeParse({ ...toForm(null), name: 'x', image: { version: null, file } })
    expect(result.error?.issues[0]?.message ?? null).toBe(message)
  })
})

it('filters like the server', () => {
  const node = { id: 1, name: 'Träger', display_name: null, parent_id: 2, article_type: { id: 3, name: 'HEB' }, image: null, version: 1 }
  const matchesFilter = (field: string, op: 'is' | 'ne', ...values: string[]) => matches([{ field, op, values }])(node)
  expect([
    matchesFilter('name', 'is', 'TRAG'),
    matchesFilter('name', 'is', 'x', 'ger'),
    matchesFilter('name', 'ne', 'traeger'),
    matchesFilter('name', 'ne', 'trager'),
  ]).toEqual([true, true, true, false])
  expect([
    matchesFilter('parent_id', 'is', '2'),
    matchesFilter('parent_id', 'ne', '2'),
    matchesFilter('article_type_id', 'is', '2', '3'),
  ]).toEqual([true, false, true])
  expect([matchesFilter('display_name', 'is', 'x'), matchesFilter('display_name', 'ne', 'x')]).toEqual([false, true])
})

it('saves its filters as a view', async () => {
  const { user, search } = renderApp('/categories?f.name=HEB')
  await item('HEB')
  expect(drawn()).toEqual(['Langprodukte', '.Träger', '..HEB'])
  await user.click(await screen.findByRole('button', { name: /^Ansicht/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Als neue Ansicht speichern …' }))
  const name = within(await screen.findByRole('dialog'))
  await user.type(name.getByRole('textbox'), 'Breitflansch')
  await user.click(name.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(db.views).toMatchObject([{ list: 'categories', name: 'Breitflansch' }]))
  await user.click(await screen.findByRole('button', { name: 'Filter zurücksetzen' }))
  await waitFor(() => expect(drawn()).toEqual(WHOLE))
  await user.click(await screen.findByRole('button', { name: /^Ansicht/ }))
  await user.click(await screen.findByRole('menuitemradio', { name: /Breitflansch/ }))
  await waitFor(() => expect(search()).toContain('f.name=HEB'))
  await waitFor(() => expect(drawn()).toEqual(['Langprodukte', '.Träger', '..HEB']))
})

describe('tree', () => {
  it('exposes levels and positions, and is one tab stop', async () => {
    renderApp('/categories')
    const heb = await item('HEB')
    expect(drawn()).toEqual(WHOLE)
    expect([heb.getAttribute('aria-level'), heb.getAttribute('aria-posinset'), heb.getAttribute('aria-setsize')]).toEqual(['3', '2', '3'])
    expect(heb).not.toHaveAttribute('aria-expanded')
    expect(await item('Träger')).toHaveAttribute('aria-expanded', 'true')
    expect(screen.getAllByRole('treeitem').filter((one) => one.tabIndex === 0)).toHaveLength(1)
    expect(screen.getByRole('tree', { name: 'Kategorien' })).toHaveAccessibleDescription(/Alt und Pfeiltasten: verschieben/)
  })

  it('is navigated by arrows, Home, End and letters', async () => {
    const { user, path } = renderApp('/categories')
    const first = await item('Langprodukte')
    first.focus()
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(await item('HEA')).toHaveFocus()
    await user.keyboard('{ArrowLeft}')
    expect(await item('Träger')).toHaveFocus()
    await user.keyboard('{ArrowLeft}')
    expect(drawn()).toEqual(['Langprodukte', '.Träger', '.Stabstahl', 'Flachprodukte', '.Bleche'])
    await user.keyboard('{ArrowRight}{ArrowRight}')
    expect(await item('HEA')).toHaveFocus()
    await user.keyboard('{End}')
    expect(await item('Bleche')).toHaveFocus()
    await user.keyboard('{Home}st')
    expect(await item('Stabstahl')).toHaveFocus()
    await user.keyboard('{Home}{ArrowLeft}')
    expect(drawn()).toEqual(['Langprodukte', 'Flachprodukte', '.Bleche'])
    await user.keyboard('{ArrowDown}{ArrowLeft}*')
    expect(drawn()).toEqual(WHOLE)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(path()).toBe('/categories/7'))
  })

  it('keeps open entries for the next visit', async () => {
    const { user, unmount } = renderApp('/categories')
    ;(await item('Langprodukte')).focus()
    await user.keyboard('{ArrowLeft}')
    unmount()
    renderApp('/categories')
    await item('Langprodukte')
    expect(drawn()).toEqual(['Langprodukte', 'Flachprodukte', '.Bleche'])
  })

  it('shows matches at their positions, and does not allow moves', async () => {
    const { user, search } = renderApp('/categories')
    await item('HEB')
    await user.type(screen.getByRole('searchbox', { name: 'Suchen nach Name' }), 'hEb')
    await waitFor(() => expect(drawn()).toEqual(['Langprodukte', '.Träger', '..HEB']))
    expect(search()).toBe('?f.name=hEb')
    ;(await item('HEB')).focus()
    await user.keyboard('{Alt>}{ArrowLeft}{/Alt}')
    expect(sent('POST')).toEqual([])
    await user.clear(screen.getByRole('searchbox', { name: 'Suchen nach Name' }))
    await user.type(screen.getByRole('searchbox', { name: 'Suchen nach Name' }), 'nichts')
    expect(await screen.findByText('Keine Treffer')).toBeInTheDocument()
  })

  it('shows the subcategories of the parent that the address filters by', async () => {
    renderApp('/categories?f.parent_id=2')
    await item('HEB')
    expect(drawn()).toEqual(['Langprodukte', '.Träger', '..HEA', '..HEB', '..IPE'])
  })

  it('shows a message if there are no categories', async () => {
    db.categories = []
    renderApp('/categories')
    expect(await screen.findByText('Noch keine Kategorien')).toBeInTheDocument()
  })
})

describe('moving', () => {
  it('works by Alt and arrows, repeatedly, and can be undone', async () => {
    const { user } = renderApp('/categories')
    ;(await item('IPE')).focus()
    await user.keyboard('{Alt>}{ArrowUp}{ArrowUp}{/Alt}')
    expect(drawn().slice(2, 5)).toEqual(['..IPE', '..HEA', '..HEB'])
    expect(await screen.findByText('„IPE“ steht jetzt in „Träger“ an Position 1 von 3')).toBeInTheDocument()
    expect(await item('IPE')).toHaveFocus()
    await user.keyboard('{Alt>}{ArrowLeft}{/Alt}')
    expect(drawn().slice(1, 6)).toEqual(['.Träger', '..HEA', '..HEB', '.IPE', '.Stabstahl'])
    expect(await screen.findByText('„IPE“ steht jetzt in „Langprodukte“ an Position 2 von 3')).toBeInTheDocument()
    await waitFor(() => expect(sent('POST')).toHaveLength(3))
    await user.click(screen.getByRole('button', { name: 'Rückgängig' }))
    await waitFor(() => expect(drawn().slice(1, 6)).toEqual(['.Träger', '..IPE', '..HEA', '..HEB', '.Stabstahl']))
    await waitFor(() => expect(db.categories.find(({ name }) => name === 'IPE')).toMatchObject({ parent: { id: 2 }, version: 5 }))
  })

  it('opens a closed category on a move into it', async () => {
    const { user } = renderApp('/categories')
    ;(await item('Träger')).focus()
    await user.keyboard('{ArrowLeft}{ArrowDown}{Alt>}{ArrowRight}{/Alt}')
    expect(drawn().slice(1, 6)).toEqual(['.Träger', '..HEA', '..HEB', '..IPE', '..Stabstahl'])
  })

  it('works by the menu, which offers only possible moves', async () => {
    const { user } = renderApp('/categories')
    await item('HEA')
    await user.click(screen.getByRole('button', { name: 'Aktionen für HEA' }))
    expect(screen.getByRole('menuitem', { name: /Nach oben/ })).toHaveAttribute('aria-disabled', 'true')
    expect(screen.getByRole('menuitem', { name: /Einrücken/ })).toHaveAttribute('aria-disabled', 'true')
    await user.click(screen.getByRole('menuitem', { name: 'Nach unten' }))
    expect(drawn().slice(2, 5)).toEqual(['..HEB', '..HEA', '..IPE'])
  })

  it('is reverted when it is refused', async () => {
    server.use(
      http.post('*/api/admin/categories/:id/move', () =>
        HttpResponse.json({ code: 'invalid', message: 'x', errors: { parent_id: ['Dort gibt es schon eine'] } }, { status: 422 }),
      ),
    )
    const { user } = renderApp('/categories')
    ;(await item('HEA')).focus()
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(await screen.findByText(/„HEA“ konnte nicht verschoben werden.*Dort gibt es schon eine/)).toBeInTheDocument()
    await waitFor(() => expect(drawn()).toEqual(WHOLE))
  })

  it('continues after a refusal, and finally shows the state of the server', async () => {
    const { opened, open } = deferredAnswer()
    server.use(
      http.post(
        '*/api/admin/categories/:id/move',
        async () => {
          await opened
          return HttpResponse.json({ code: 'invalid', message: 'x' }, { status: 422 })
        },
        { once: true },
      ),
    )
    const { user } = renderApp('/categories')
    const step = async (name: string, keys: string) => {
      ;(await item(name)).focus()
      await user.keyboard(`{Alt>}${keys}{/Alt}`)
    }
    await step('HEA', '{ArrowDown}')
    await step('Bleche', '{ArrowLeft}')
    await step('Stabstahl', '{ArrowUp}')
    requests.length = 0
    open()
    const now = ['Langprodukte', '.Stabstahl', '.Träger', '..HEA', '..HEB', '..IPE', 'Flachprodukte', 'Bleche']
    await waitFor(() => expect(drawn()).toEqual(now))
    // moves that still wait are not shown as undone meanwhile
    const sent = requests.filter((request) => request.includes('/api/admin/categories'))
    expect(sent.map((request) => request.replace(/\d+/, 'n'))).toEqual([
      ...Array(2).fill('POST /api/admin/categories/n/move'),
      'GET /api/admin/categories/tree',
    ])
    Object.assign(db.categories.find(({ name }) => name === 'IPE') ?? {}, { name: 'IPEa' })
    await step('HEB', '{ArrowUp}')
    expect(await item('IPEa')).toBeInTheDocument()
  })

  it('is not offered to read-only users', async () => {
    const { user } = renderApp('/categories', 'tenantAdmin')
    ;(await item('HEB')).focus()
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect(drawn()).toEqual(WHOLE)
    await user.click(screen.getByRole('button', { name: 'Aktionen für HEB' }))
    expect(screen.getAllByRole('menuitem').map((one) => one.textContent)).toEqual(['Ansehen'])
  })
})

describe('form', () => {
  const png = (name: string) => new File([name], `${name}.png`, { type: 'image/png' })

  it('creates a category in another one, with its picture', async () => {
    const { user, path } = renderApp('/categories')
    await item('Träger')
    await user.click(screen.getByRole('button', { name: 'Aktionen für Träger' }))
    await user.click(screen.getByRole('menuitem', { name: 'Unterkategorie anlegen' }))
    await user.type(await screen.findByLabelText('Name *'), 'UPN')
    await waitFor(() => expect(screen.getByLabelText('Übergeordnete Kategorie')).toHaveValue('Langprodukte › Träger'))
    await user.upload(screen.getByLabelText('Bild der Kategorie'), png('upn'))
    expect(screen.getByText('upn.png · 0,1 KB')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(path()).toBe('/categories'))
    expect(db.categories.at(-1)).toMatchObject({ name: 'UPN', parent: { id: 2 }, image: { version: 'image-1' } })
    expect(await item('UPN')).toBeInTheDocument()
  })

  it('refuses a file that is no picture when it is chosen, and keeps the previous one', async () => {
    renderApp('/categories/new')
    // drag and drop allows files that the file dialog would not
    const user = userEvent.setup({ applyAccept: false })
    const field = await screen.findByLabelText('Bild der Kategorie')
    await user.upload(field, png('upn'))
    await user.upload(field, new File(['%PDF'], 'preise.pdf', { type: 'application/pdf' }))
    expect(field).toHaveAccessibleDescription(/^upn\.png · 0,1 KB preise\.pdf: Bitte wählen Sie ein Bild/)
    await user.upload(field, png('gut'))
    expect(field).toBeValid()
    fireEvent.error(field.parentElement?.querySelector('img') as HTMLElement)
    expect(field).toHaveAccessibleDescription(/^Kein Bild gut\.png: Bitte wählen Sie ein Bild/)
  })

  it('keeps the input when a picture is refused, and creates nothing twice', async () => {
    const refusal = { code: 'invalid', message: 'x', errors: { file: ['Das Bild ist beschädigt oder unvollständig'] } }
    server.use(http.put('*/api/admin/categories/:id/article-type-image', () => HttpResponse.json(refusal, { status: 422 }), { once: true }))
    const { user, path } = renderApp('/categories/new')
    await user.type(await screen.findByLabelText('Name *'), 'Rohre')
    await user.upload(screen.getByLabelText('Bild der Kategorie'), png('gut'))
    await user.upload(screen.getByLabelText('Bild des Artikeltyps'), png('kaputt'))
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    const field = screen.getByLabelText('Bild des Artikeltyps')
    await waitFor(() => expect(field).toHaveAccessibleDescription(/beschädigt oder unvollständig. Die übrigen Angaben sind gespeichert/))
    expect(screen.getByLabelText('Name *')).toHaveValue('Rohre')
    await user.upload(field, png('heil'))
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(path()).toBe('/categories'))
    const rows = db.categories.filter(({ name }) => name === 'Rohre')
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ image: { version: 'image-1' }, article_type_image: { version: 'article-type-image-3' } })
    // the picture that had been uploaded is not sent again
    expect(sent('PUT').filter((request) => request.endsWith('/image'))).toHaveLength(1)
  })

  it('replaces and removes a picture only on save', async () => {
    const { user, path } = renderApp('/categories/4')
    const group = () => screen.getByLabelText('Bild der Kategorie').closest('div') as HTMLElement
    await screen.findByText('Gespeichertes Bild')
    await user.click(within(group()).getByRole('button', { name: 'Bild der Kategorie: Entfernen' }))
    expect(db.categories[3]?.image).not.toBeNull()
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(path()).toBe('/categories'))
    expect(db.categories[3]?.image).toBeNull()
  })

  it('shows inherited values at empty fields, depending on the chosen parent', async () => {
    const [long, beams] = db.categories
    if (!long || !beams) throw new Error('no categories')
    const from = { id: long.id, name: long.name }
    Object.assign(beams, { inherited: { ...beams.inherited, article_type: { id: 1, name: 'Hohlprofil', from } }, image: { version: 'x' } })
    const { user } = renderApp('/categories/3')
    const type = await screen.findByLabelText('Artikeltyp')
    await waitFor(() => expect(type).toHaveAccessibleDescription(/Ohne eigene Angabe gilt „Hohlprofil“ aus „Langprodukte“\.$/))
    expect(screen.getByLabelText('Bild der Kategorie')).toHaveAccessibleDescription(/Ohne eigenes Bild gilt das aus „Träger“\.$/)
    expect(screen.getByLabelText('Bild des Artikeltyps')).toHaveAccessibleDescription(/Querschnitt des Profils\.$/)
    await user.clear(screen.getByLabelText('Übergeordnete Kategorie'))
    await user.tab()
    await waitFor(() => expect(type).toHaveAccessibleDescription('Der Typ der Artikel, die in dieser Kategorie stehen.'))
  })

  it('offers no parent that would form a cycle', async () => {
    const { user } = renderApp('/categories/2')
    const parent = await screen.findByLabelText('Übergeordnete Kategorie')
    await waitFor(() => expect(parent).toHaveValue('Langprodukte'))
    await user.clear(parent)
    await user.click(parent)
    const options = await screen.findAllByRole('option')
    expect(options.map((one) => one.textContent)).toEqual([
      'Flachprodukte',
      'Flachprodukte › Bleche',
      'Langprodukte',
      'Langprodukte › Stabstahl',
    ])
  })
})

it('deletes categories without subcategories, and lists those of the others', async () => {
  const { user } = renderApp('/categories')
  await item('Träger')
  await user.click(screen.getByRole('button', { name: 'Aktionen für Träger' }))
  await user.click(screen.getByRole('menuitem', { name: 'Löschen' }))
  const dialog = await screen.findByRole('alertdialog')
  expect(await within(dialog).findByRole('heading', { name: '3 Kategorien' })).toBeInTheDocument()
  await user.click(within(dialog).getByRole('button', { name: /Schließen|Abbrechen/ }))
  await user.click(await screen.findByRole('button', { name: 'Aktionen für IPE' }))
  await user.click(screen.getByRole('menuitem', { name: 'Löschen' }))
  const question = await screen.findByRole('alertdialog', { name: '„IPE“ löschen?' })
  const button = within(question).getByRole('button', { name: 'Löschen' })
  await waitFor(() => expect(button).toBeEnabled())
  await user.click(button)
  await waitFor(() => expect(drawn()).not.toContain('..IPE'))
})
