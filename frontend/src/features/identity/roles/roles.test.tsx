import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { db, server } from '~/test/server'

const box = (name: string) => screen.findByRole('checkbox', { name })
const saved = (id: number) => db.roles.find((role) => role.id === id)

it('grants a permission with its prerequisites, and removes it with its dependents', async () => {
  const { user, path } = renderApp('/roles/2')
  await user.click(await box('Werkstoffe: Ändern'))
  for (const name of ['Auflisten', 'Ansehen', 'Ändern']) expect(await box(`Werkstoffe: ${name}`)).toBeChecked()
  expect(await box('Werkstoffe: Anlegen')).not.toBeChecked()
  await user.click(await box('Artikel: Auflisten'))
  expect(await box('Artikel: Ansehen')).not.toBeChecked()
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(path()).toBe('/roles'))
  expect(saved(2)?.permissions).toEqual(['access-admin', 'material.list', 'material.view', 'material.update'])
})

it('grants whole rows and columns of the search result', async () => {
  const { user, path } = renderApp('/roles/new')
  await user.type(await screen.findByLabelText('Name *'), 'Lager')
  await user.type(screen.getByRole('searchbox', { name: 'Bereich suchen' }), 'lager')
  expect(screen.queryByRole('checkbox', { name: 'Alle: Artikel' })).not.toBeInTheDocument()
  await user.click(await box('Alle: Ansehen'))
  expect(screen.getByText(/Rechte gewählt/)).toHaveTextContent('3 Rechte gewählt')
  await user.click(await box('Alle: Lager'))
  expect(screen.getByText(/Rechte gewählt/)).toHaveTextContent('6 Rechte gewählt')
  await user.click(await box('Alle: Löschen'))
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(path()).toBe('/roles'))
  const role = db.roles.at(-1)
  // none of them could be used without the admin area
  const rights = ['warehouse.list', 'warehouse.view', 'access-admin', 'warehouse.create', 'warehouse.update']
  expect([role?.name, role?.permissions]).toEqual(['Lager', rights])
})

it('is copied from another', async () => {
  const { user } = renderApp('/roles')
  await user.click(await screen.findByRole('button', { name: 'Aktionen für Stark' }))
  await user.click(screen.getByRole('menuitem', { name: 'Duplizieren' }))
  expect(await screen.findByLabelText('Name *')).toHaveValue('Stark (Kopie)')
  expect(await box('Artikel: Ansehen')).toBeChecked()
})

it('does not let users grant permissions that they lack, nor change roles that have more', async () => {
  renderApp('/roles/3')
  const form = await screen.findByRole('dialog', { name: 'Stark' })
  expect(await within(form).findByText('Sie dürfen diesen Eintrag ansehen, aber nicht ändern.')).toBeInTheDocument()
  expect(await box('Artikel: Ansehen')).toBeDisabled()
})

it('explains why a permission cannot be granted', async () => {
  const admin = db.users.find(({ id }) => id === 1)
  if (admin) admin.permissions = admin.permissions.filter(({ name }) => name !== 'tenant.delete')
  renderApp('/roles/2')
  expect(await box('Mandanten: Löschen')).toBeDisabled()
  expect((await box('Mandanten: Löschen')).closest('[title]')).toHaveAttribute('title', 'Dieses Recht haben Sie selbst nicht.')
  expect(await box('Mandanten: Ändern')).toBeEnabled()
})

it('shows errors of the server in the words of the grid', async () => {
  const refusal = 'Diese Rechte können Sie nicht vergeben: article.update, access-admin, price.updated'
  server.use(
    http.put('*/api/admin/roles/2', () =>
      HttpResponse.json({ code: 'invalid', message: 'x', errors: { permissions: [refusal] } }, { status: 422 }),
    ),
  )
  const { user } = renderApp('/roles/2')
  await user.click(await box('Werkstoffe: Ändern'))
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  const message = 'Diese Rechte können Sie nicht vergeben: „Artikel: Ändern“, „Adminbereich nutzen“, price.updated'
  expect((await screen.findAllByText(message)).length).toBeGreaterThan(0)
})

it('names its tenant, and stays within the ceiling of the tenant', async () => {
  renderApp('/roles/new?tenantId=1')
  await waitFor(() => expect(screen.getByLabelText('Mandant')).toHaveValue(db.tenants[0]?.name))
  await waitFor(() => expect(screen.getByRole('checkbox', { name: 'Artikel: Ansehen' })).toBeDisabled())
  const blockedBox = (await box('Artikel: Ansehen')).closest('[title]')
  expect(blockedBox).toHaveAttribute('title', 'Die maximalen Rechte des Mandanten enthalten dieses Recht nicht.')
  expect(await box('Artikel: Auflisten')).toBeEnabled()
})

it('names the platform in place of a tenant for its own roles', async () => {
  renderApp('/roles/2')
  expect(await screen.findByLabelText('Mandant')).toHaveValue('Plattform, für alle Mandanten')
})

it('names the permissions without which a form cannot be filled, and adds them', async () => {
  const { user } = renderApp('/roles/new')
  await user.click(await box('Bestände: Anlegen'))
  const note = await screen.findByText(/„Bestände: Anlegen“ lässt sich ohne Artikel: Auflisten, .*Lager: Ansehen nicht nutzen/)
  await user.click(screen.getByRole('button', { name: 'Mitwählen' }))
  expect(await box('Lager: Ansehen')).toBeChecked()
  expect(note).not.toBeInTheDocument()
})

it('starts with the permissions of another role', async () => {
  const { user } = renderApp('/roles/new')
  const [first] = db.roles
  if (!first) throw new Error('no role')
  await user.selectOptions(await screen.findByLabelText('Rechte übernehmen aus'), String(first.id))
  await user.type(screen.getByLabelText('Name *'), 'Vertretung')
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(db.roles.at(-1)).toMatchObject({ name: 'Vertretung', permissions: first.permissions }))
})
