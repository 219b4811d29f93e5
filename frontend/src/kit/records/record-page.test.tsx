import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { refresh } from '~/api/change'
import type { Usage } from '~/api/schema'
import { renderApp } from '~/test/render'
import { db, requests, server } from '~/test/server'

const PAGE = '/warehouses/1'
const name = () => screen.findByLabelText('Name *')
const first = () => {
  const row = db.warehouses[0]
  if (!row) throw new Error('no warehouse')
  return row
}

it('shows breadcrumbs, and has an address for each tab', async () => {
  const { user, path } = renderApp(PAGE, 'tenantAdmin')
  expect(await screen.findByRole('heading', { level: 1, name: 'DU · Lager Duisburg' })).toBeInTheDocument()
  const tabs = within(screen.getByRole('navigation', { name: 'DU · Lager Duisburg' }))
  expect(tabs.getByRole('link', { current: 'page' })).toHaveTextContent('Angaben')
  await user.click(tabs.getByRole('link', { name: 'Verwendung' }))
  expect(await screen.findByText('Dieser Eintrag wird nirgends verwendet.')).toBeInTheDocument()
  expect(path()).toBe(`${PAGE}/usage`)
  const crumbs = within(screen.getByRole('navigation', { name: 'Navigationspfad' })).getAllByRole('link')
  expect(crumbs.map((link) => link.textContent)).toEqual(['Start', 'Lager', 'DU · Lager Duisburg', 'Verwendung'])
  expect(document.title).toBe('Verwendung · DU · Lager Duisburg · Stalhof')
})

it('opens the first tab by its name as well', async () => {
  const { path, search } = renderApp('/warehouses/1/details?tenantId=1')
  expect(await screen.findByRole('heading', { level: 1, name: 'DU · Lager Duisburg' })).toBeInTheDocument()
  expect([path(), search()]).toEqual([PAGE, '?tenantId=1'])
})

it('keeps the form open after a save, with the focus in it', async () => {
  const { user, path } = renderApp(PAGE, 'tenantAdmin')
  const save = async () => screen.findByRole('button', { name: 'Speichern' })
  for (const [text, version] of [
    ['Lager Ruhrort', 2],
    ['Lager Duisburg-Ruhrort', 3],
  ] as const) {
    await user.clear(await name())
    await user.type(await name(), text)
    await user.click(await save())
    expect(await screen.findByRole('heading', { level: 1, name: `DU · ${text}` })).toBeInTheDocument()
    expect(first()).toMatchObject({ name: text, version })
  }
  expect(path()).toBe(PAGE)
  expect(screen.getByRole('button', { name: 'Änderungen verwerfen' })).toBeDisabled()
  expect(await save()).toHaveFocus()
})

it('discards changes', async () => {
  const { user } = renderApp(PAGE, 'tenantAdmin')
  await user.type(await name(), ' Nord')
  await user.click(screen.getByRole('button', { name: 'Änderungen verwerfen' }))
  expect(await name()).toHaveValue('Lager Duisburg')
})

it('shows saves of other people while nothing has been changed here', async () => {
  const { user } = renderApp(PAGE, 'tenantAdmin')
  await name()
  Object.assign(first(), { name: 'Lager Ruhrort', version: 2 })
  void refresh()
  await waitFor(async () => expect(await name()).toHaveValue('Lager Ruhrort'))
  await user.type(await name(), ' Nord')
  Object.assign(first(), { name: 'Lager Süd', version: 3 })
  void refresh()
  expect(await screen.findByRole('heading', { level: 1, name: 'DU · Lager Süd' })).toBeInTheDocument()
  expect(await name()).toHaveValue('Lager Ruhrort Nord')
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  expect(await screen.findByRole('dialog', { name: 'Der Eintrag wurde zwischenzeitlich geändert' })).toBeInTheDocument()
})

it('keeps input when the record has been deleted by another person, and says so', async () => {
  const { user } = renderApp(PAGE, 'tenantAdmin')
  await user.type(await name(), ' Nord')
  db.warehouses.shift()
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  expect(await screen.findByText(/inzwischen gelöscht/)).toBeInTheDocument()
  expect(await name()).toHaveValue('Lager Duisburg Nord')
})

it('asks before changing the tab or the tenant discards input', async () => {
  const { user, router, path, search } = renderApp(`${PAGE}?tenantId=1`)
  await user.type(await name(), ' Nord')
  await user.click(screen.getByRole('link', { name: 'Verwendung' }))
  await user.click(await screen.findByRole('button', { name: 'Weiter bearbeiten' }))
  void router.navigate(`${PAGE}?tenantId=2`)
  await user.click(await screen.findByRole('button', { name: 'Weiter bearbeiten' }))
  expect([path(), search()]).toEqual([PAGE, '?tenantId=1'])
  expect(await name()).toHaveValue('Lager Duisburg Nord')
})

it.each(['/warehouses/999?tenantId=2', '/warehouses/x?tenantId=2'])('shows that %s does not exist for the tenant', async (address) => {
  renderApp(address)
  expect(await screen.findByText('Diesen Eintrag gibt es nicht (mehr).')).toBeInTheDocument()
  expect(screen.getByText(/Beim gewählten Mandanten/)).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Zur Liste' })).toHaveAttribute('href', '/warehouses?tenantId=2')
})

it('does not request a record without a tenant or a permission', async () => {
  const { unmount } = renderApp(PAGE)
  expect(await screen.findByRole('heading', { level: 1, name: 'Mandant wählen' })).toBeInTheDocument()
  unmount()
  const staff = db.users.find(({ email }) => email.startsWith('mitarbeit'))
  if (staff) staff.permissions = staff.permissions.filter(({ name }) => name !== 'warehouse.list')
  renderApp(PAGE, 'staff')
  expect(await screen.findByRole('heading', { level: 1, name: 'Keine Berechtigung' })).toBeInTheDocument()
  expect(requests.filter((request) => request.includes('/warehouses'))).toEqual([])
})

it('shows disabled fields without a button to users without the permission', async () => {
  renderApp(PAGE, 'staff')
  expect(await name()).toBeDisabled()
  expect(screen.queryByRole('button', { name: 'Speichern' })).not.toBeInTheDocument()
})

it('deletes like the list and returns there, despite unsaved input', async () => {
  const { user, path, router } = renderApp(PAGE, 'tenantAdmin')
  await user.type(await name(), ' Nord')
  await user.click(screen.getByRole('button', { name: 'Löschen' }))
  const question = within(await screen.findByRole('alertdialog', { name: /DU · Lager Duisburg/ }))
  await user.click(await question.findByRole('button', { name: 'Löschen' }))
  expect(await screen.findByText(/Lager Duisburg“ wurde gelöscht/)).toBeInTheDocument()
  await waitFor(() => expect(path()).toBe('/warehouses'))
  expect(await screen.findByRole('heading', { level: 1, name: 'Lager' })).toBeInTheDocument()
  expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument()
  expect(db.warehouses.some(({ id }) => id === 1)).toBe(false)
  expect(router.state.historyAction).toBe('REPLACE')
  expect(requests.filter((request) => request === 'GET /api/admin/warehouses/1')).toHaveLength(1)
})

it('does not delete a record in use, and lists what refers to it', async () => {
  const usage: Usage = { by: 'matchings', filter: 'warehouse_id', count: 3, examples: [{ id: 7, name: 'A-100' }] }
  server.use(http.get('*/api/admin/warehouses/:id/usage', () => HttpResponse.json({ data: [usage] })))
  const { user, path } = renderApp(PAGE, 'tenantAdmin')
  await user.click(await screen.findByRole('button', { name: 'Löschen' }))
  const question = within(await screen.findByRole('alertdialog'))
  expect(await question.findByRole('link', { name: 'A-100' })).toBeInTheDocument()
  expect(question.queryByRole('button', { name: 'Löschen' })).not.toBeInTheDocument()
  expect(path()).toBe(PAGE)
})

it('offers no deletion without the permission', async () => {
  renderApp(PAGE, 'staff')
  await name()
  expect(screen.queryByRole('button', { name: 'Löschen' })).not.toBeInTheDocument()
})
