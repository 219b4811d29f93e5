import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { queryClient } from '~/api/query'
import type { FoundRecords } from '~/api/schema'
import { renderApp } from '~/test/render'
import { requests, server } from '~/test/server'

const options = () => within(screen.getByRole('listbox')).queryAllByRole('option')
const labels = () => options().map((option) => option.textContent)
const group = (name: string) => screen.findByRole('group', { name })
const shortcut = (key: Partial<KeyboardEventInit> = {}) => fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true, ...key })

async function open(path = '/home', user: Parameters<typeof renderApp>[1] = 'admin') {
  const app = renderApp(path, user)
  await app.user.click(await screen.findByRole('button', { name: 'Suchen und springen' }))
  return { ...app, field: await screen.findByRole('combobox', { name: 'Suchen und springen' }) }
}

describe('keyboard', () => {
  it('opens on Ctrl+K and Cmd+K, moves with arrows, navigates on Enter and closes on Escape', async () => {
    const { user, path, search } = renderApp('/home?tenantId=2')
    await screen.findByRole('button', { name: 'Suchen und springen' })
    shortcut({ ctrlKey: false, metaKey: true })
    const field = await screen.findByRole('combobox', { name: 'Suchen und springen' })
    expect(field).toHaveFocus()
    expect(field).toHaveAttribute('aria-activedescendant', options()[0]?.id)
    await user.keyboard('{ArrowUp}')
    expect(options().at(-1)).toHaveAttribute('aria-selected', 'true')
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(options()[1]).toHaveAttribute('aria-selected', 'true')
    expect(options()[1]).toHaveTextContent('Werkstoffe')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(path() + search()).toBe('/materials?tenantId=2'))
    expect(screen.queryByRole('combobox', { name: 'Suchen und springen' })).not.toBeInTheDocument()
    shortcut()
    await screen.findByRole('combobox', { name: 'Suchen und springen' })
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Suchen und springen' })).not.toBeInTheDocument())
  })

  it('leaves other combinations alone', async () => {
    renderApp('/home')
    await screen.findByRole('button', { name: 'Suchen und springen' })
    for (const key of [{ altKey: true }, { shiftKey: true }, { ctrlKey: false }, { metaKey: true }]) {
      expect(shortcut(key)).toBe(true)
    }
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })
})

describe('menu and actions', () => {
  it('finds an entry by its synonyms in both languages', async () => {
    const { user, field } = await open()
    await user.type(field, 'grades')
    expect(labels()).toContain('Werkstoffe')
    await user.clear(field)
    await user.type(field, 'neu artikel')
    expect(labels()[0]).toBe('Neuer Artikel')
  })

  it('offers only what the user may open and do', async () => {
    await open('/home', 'staff')
    expect(labels()).toEqual(expect.arrayContaining(['Werkstoffe', 'Artikel', 'Abmelden']))
    expect(labels().filter((label) => /Attribute|Neuer|Importieren/i.test(label ?? ''))).toEqual([])
  })

  it('signs out', async () => {
    const { user, field, path } = await open()
    await user.type(field, 'logout')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(path()).toBe('/login'))
  })
})

/** Answers the search with these records. */
const finds = (...data: FoundRecords[]) => server.use(http.get('*/api/admin/search', () => HttpResponse.json({ data })))

describe('records', () => {
  it('are found in all areas by one call, and link to the record or to all of them', async () => {
    const { user, field, path, search } = await open('/home?tenantId=2')
    await user.type(field, 's2')
    const materials = await group('Werkstoffe')
    const option = within(materials).getByRole('option', { name: /^S235JR ?1.0038/ })
    await waitFor(() => expect(requests).toContain('GET /api/admin/search?q=s2&tenant_id=2'))
    expect(requests.filter((request) => request.includes('/api/admin/materials'))).toEqual([])
    await user.click(option)
    await waitFor(() => expect(path() + search()).toBe('/materials/1?tenantId=2'))
  })

  it('links to the list if there are more', async () => {
    const { user, field, path, search } = await open()
    // one input event: a search for less would be answered first on a slow machine
    await user.click(field)
    await user.paste('1.0')
    const all = await screen.findByRole('option', { name: /^Alle \d+ Treffer anzeigen: Werkstoffe$/ })
    await user.click(all)
    await waitFor(() => expect(path() + search()).toBe('/materials?f.search=1.0'))
  })

  it('come first on an exact match of name or number, otherwise after pages', async () => {
    const material = { id: 7, name: 'Artikelstahl', detail: '1.0001' }
    finds({ resource: 'materials', total: 1, records: [material] })
    const { user, field } = await open()
    await user.type(field, 'artikel')
    await group('Werkstoffe')
    expect(labels()[0]).toBe('Artikel')
    for (const exact of ['ARTIKELSTAHL', '1.0001']) {
      await user.clear(field)
      await user.type(field, exact)
      await waitFor(() => expect(labels()[0]).toMatch(/^Artikelstahl/))
    }
  })

  it('are offered only if they can be opened', async () => {
    finds({ resource: 'attributes', total: 1, records: [{ id: 1, name: 'Xylophon', detail: null }] })
    const { user, field } = await open('/home', 'staff')
    await user.type(field, 'xylo')
    expect(await screen.findByText('Nichts gefunden.')).toBeInTheDocument()
    expect(labels()).toEqual([])
  })

  it('do not block pages and actions when the search fails', async () => {
    server.use(http.get('*/api/admin/search', () => HttpResponse.json({ code: 'x', message: 'Wartung' }, { status: 503 })))
    const { user, field } = await open()
    await user.type(field, 'artikel')
    expect(await screen.findByText('Wartung')).toBeInTheDocument()
    expect(labels()).toContain('Artikel')
  })

  it('are not searched for a single letter', async () => {
    const { user, field } = await open()
    const before = requests.length
    await user.type(field, 's')
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(requests.slice(before).filter((request) => request.includes('search'))).toEqual([])
    expect(field).toHaveValue('s')
  })
})

it('remembers the choices of each user, as long as they may open them', async () => {
  const { user, field, path, unmount } = await open()
  await user.type(field, 'attribute')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(path()).toBe('/attributes'))
  shortcut()
  expect(
    within(await group('Zuletzt gewählt'))
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['Attribute'])
  expect(labels().filter((label) => label === 'Attribute')).toHaveLength(1)
  unmount()
  queryClient.clear()
  await open('/home', 'staff')
  expect(screen.queryByRole('group', { name: 'Zuletzt gewählt' })).not.toBeInTheDocument()
})
