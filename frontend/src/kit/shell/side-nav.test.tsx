import { screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderApp } from '~/test/render'
import { requests } from '~/test/server'

const group = (name: string) => screen.findByRole('group', { name })
const entry = (name: string) => screen.queryByRole('link', { name })

it('closes a group until the next visit, and still finds its entries', async () => {
  const first = renderApp('/home')
  const users = await group('Benutzerverwaltung')
  expect(within(users).getByRole('link', { name: 'Rollen' })).toBeVisible()
  await first.user.click(within(users).getByRole('button', { name: 'Benutzerverwaltung' }))
  await waitFor(() => expect(entry('Rollen')).toBeNull())
  expect(entry('Werkstoffe')).toBeVisible()
  first.unmount()

  const { user } = renderApp('/home')
  const head = within(await group('Benutzerverwaltung')).getByRole('button')
  expect(head).toHaveAttribute('aria-expanded', 'false')
  expect(entry('Rollen')).toBeNull()
  await user.type(screen.getByRole('searchbox', { name: 'Menü durchsuchen' }), 'roll')
  expect(await screen.findByRole('link', { name: 'Rollen' })).toBeVisible()
  await user.clear(screen.getByRole('searchbox', { name: 'Menü durchsuchen' }))
  await user.click(head)
  expect(head).toHaveAttribute('aria-expanded', 'true')
})

it('opens the group of the current page and scrolls to its entry', async () => {
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView')
  localStorage.setItem('navigation', JSON.stringify({ closed: ['userManagement', 'stock'] }))
  const { router } = renderApp('/roles')
  expect(within(await group('Benutzerverwaltung')).getByRole('button')).toHaveAttribute('aria-expanded', 'true')
  expect(within(await group('Lager')).getByRole('button')).toHaveAttribute('aria-expanded', 'false')
  expect(scrolled.mock.contexts).toContain(within(await group('Benutzerverwaltung')).getByRole('link', { name: 'Rollen' }))
  await router.navigate('/home')
  expect(within(await group('Benutzerverwaltung')).getByRole('button')).toHaveAttribute('aria-expanded', 'true')
})

it('finds an entry by a synonym, and opens it on Enter', async () => {
  const { user, path } = renderApp('/home')
  await user.type(await screen.findByRole('searchbox', { name: 'Menü durchsuchen' }), 'rabatt')
  // besides the link to the start page
  await waitFor(() => expect(within(screen.getByRole('navigation', { name: 'Hauptnavigation' })).getAllByRole('link')).toHaveLength(2))
  await user.keyboard('{Enter}')
  await waitFor(() => expect(path()).toBe('/price-adjustments'))
})

it('shows the number of records that need attention', async () => {
  renderApp('/home')
  await waitFor(() => expect(entry('Versandknoten 2 Einträge erfordern Aufmerksamkeit')).toBeVisible())
  expect(requests.filter((request) => request.includes('/api/admin/attention?about='))).toHaveLength(1)
})

it('links to other systems that the operator has added', async () => {
  const { user } = renderApp('/home')
  const erp = await within(await group('Datenaustausch')).findByRole('link', { name: /^Warenwirtschaft.*Test.*neuen Tab/ })
  expect(erp).toHaveAttribute('href', 'https://erp.example')
  expect(erp).toHaveAttribute('target', '_blank')
  const opened = vi.spyOn(window, 'open').mockReturnValue(null)
  await user.type(screen.getByRole('searchbox', { name: 'Menü durchsuchen' }), 'warenwirt{Enter}')
  expect(opened).toHaveBeenCalledWith('https://erp.example', '_blank', 'noreferrer')
})
