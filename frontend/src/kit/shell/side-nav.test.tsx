import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderApp } from '~/test/render'

const group = (name: string) => screen.findByRole('group', { name })
const entry = (name: string) => screen.queryByRole('link', { name })

it('closes a group, keeps it closed for the next visit, and finds its entries all the same', async () => {
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
