import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { queryClient } from '~/api/query'
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
  it('opens by Ctrl+K and Cmd+K, moves by arrows, goes by Enter and closes by Escape', async () => {
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
  it('finds an entry by what people call it in either language', async () => {
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

describe('records', () => {
  it('are found in all areas at once, and lead to the record or to all of them', async () => {
    const { user, field, path, search } = await open('/home?tenantId=2')
    await user.type(field, 's2')
    const materials = await group('Werkstoffe')
    await waitFor(() => expect(within(materials).getAllByRole('option').length).toBeGreaterThan(1))
    expect(requests).toContain('GET /api/admin/materials?page[number]=1&page[size]=5&tenant_id=2&filter[search]=s2')
    const found = within(materials).getByRole('option', { name: /^S235JR 1.0038|^S235JR1.0038/ })
    await user.click(found)
    await waitFor(() => expect(path() + search()).toBe('/materials/1?tenantId=2'))
  })

  it('offers the list where there are more', async () => {
    const { user, field, path, search } = await open()
    await user.type(field, '1.0')
    const all = await screen.findByRole('option', { name: /^Alle \d+ Treffer anzeigen: Werkstoffe$/ })
    await user.click(all)
    await waitFor(() => expect(path() + search()).toBe('/materials?f.search=1.0'))
  })

  it('of one area that fails do not keep the others', async () => {
    server.use(http.get('*/api/admin/articles', () => HttpResponse.json({ code: 'x', message: 'Wartung' }, { status: 503 })))
    const { user, field } = await open()
    await user.type(field, 'hohl')
    expect(await screen.findByText('Wartung')).toBeInTheDocument()
    expect(await screen.findByRole('option', { name: /^Hohlprofil/ })).toBeInTheDocument()
  })

  it('are not asked for by a single letter', async () => {
    const { user, field } = await open()
    const before = requests.length
    await user.type(field, 's')
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(requests.slice(before).filter((request) => request.includes('filter'))).toEqual([])
    expect(field).toHaveValue('s')
  })
})

it('remembers what was chosen, each user for himself, as long as he may open it', async () => {
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
