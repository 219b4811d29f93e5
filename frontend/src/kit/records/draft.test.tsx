import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { queryClient } from '~/api/query'
import { session } from '~/session/session'
import { renderApp } from '~/test/render'
import { db } from '~/test/server'

const form = async (name = 'S235JR') => within(await screen.findByRole('dialog', { name }))
const nameOf = async (name?: string) => (await form(name)).findByLabelText('Name *')

/** Simulates a reload: unmounts the page and renders another one. */
async function reloaded({ unmount }: ReturnType<typeof renderApp>, path: string, user?: Parameters<typeof renderApp>[1]) {
  fireEvent(window, new Event('pagehide'))
  const drafts = sessionStorage.getItem('drafts')
  unmount()
  // a page that really reloads runs no cleanup effects
  if (drafts) sessionStorage.setItem('drafts', drafts)
  queryClient.clear()
  return renderApp(path, user)
}

async function typed(path: string, text: string, title?: string) {
  const app = renderApp(path)
  const field = await nameOf(title)
  await app.user.clear(field)
  await app.user.type(field, text)
  return app
}

it('restores input after a reload, and saves it', async () => {
  const { user } = await reloaded(await typed('/materials/1', 'S235J2'), '/materials/1')
  await waitFor(async () => expect(await nameOf()).toHaveValue('S235J2'))
  expect((await form()).getByText(/vor dem Neuladen/)).toBeInTheDocument()
  await user.click((await form()).getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(db.materials[0]?.name).toBe('S235J2'))
  expect(sessionStorage.getItem('drafts')).toBeNull()
})

it('discards the draft on request', async () => {
  const { user } = await reloaded(await typed('/materials/1', 'S235J2'), '/materials/1')
  await user.click(await (await form()).findByRole('button', { name: 'Verwerfen' }))
  expect(await nameOf()).toHaveValue('S235JR')
  expect(await nameOf()).toHaveFocus()
  expect(screen.queryByText(/vor dem Neuladen/)).not.toBeInTheDocument()
})

it('stores the draft of a new record for each tenant', async () => {
  const app = await reloaded(await typed('/materials/new?tenantId=2', 'Neu', 'Neuer Werkstoff'), '/materials/new?tenantId=3')
  expect(await nameOf('Neuer Werkstoff')).toHaveValue('')
  await reloaded(app, '/materials/new?tenantId=2')
  await waitFor(async () => expect(await nameOf('Neuer Werkstoff')).toHaveValue('Neu'))
})

it('separates the draft of a copy from that of a new record', async () => {
  const app = await reloaded(await typed('/materials/new', 'Neu', 'Neuer Werkstoff'), '/materials/new?from=1')
  expect(await nameOf('Neuer Werkstoff')).not.toHaveValue('Neu')
  await reloaded(app, '/materials/new')
  await waitFor(async () => expect(await nameOf('Neuer Werkstoff')).toHaveValue('Neu'))
})

it('opens the conflict dialog if the record was saved by another person meanwhile', async () => {
  const app = await typed('/materials/1', 'S235J2')
  Object.assign(db.materials[0] ?? {}, { name: 'S235JO', version: 2 })
  const { user } = await reloaded(app, '/materials/1')
  await waitFor(async () => expect(await nameOf('S235JO')).toHaveValue('S235J2'))
  await user.click((await form('S235JO')).getByRole('button', { name: 'Speichern' }))
  const question = within(await screen.findByRole('dialog', { name: /geändert/ }))
  expect(await question.findByText(/S235JO/)).toBeInTheDocument()
})

it('hides drafts from other users, and deletes them on sign-out', async () => {
  const app = await reloaded(await typed('/materials/1', 'S235J2'), '/materials/1', 'tenantAdmin')
  expect(await screen.findByRole('dialog', { name: 'S235JR' })).toBeInTheDocument()
  expect(screen.queryByDisplayValue('S235J2')).not.toBeInTheDocument()
  expect(sessionStorage.getItem('drafts')).toContain('S235J2')
  session.signOut()
  expect(sessionStorage.getItem('drafts')).toBeNull()
  app.unmount()
})
