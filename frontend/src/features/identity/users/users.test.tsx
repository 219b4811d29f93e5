import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { db } from '~/test/server'

const box = (name: string) => screen.findByRole('checkbox', { name })
const hint = /Rollen mit Rechten, die Sie selbst nicht haben/

it('offers roles beyond the user’s own permissions only with a restriction, and explains it', async () => {
  const admin = db.users.find(({ id }) => id === 1)
  if (admin) admin.permissions = admin.permissions.filter(({ name }) => name !== 'tenant.delete')
  const { user } = renderApp('/users/new')
  expect(await box('Sachbearbeitung')).toBeEnabled()
  expect(screen.queryByRole('checkbox', { name: 'Plattformverwaltung' })).not.toBeInTheDocument()
  expect(screen.getByText(hint)).toBeInTheDocument()

  await user.click(await box('Rechte einschränken'))
  expect(await box('Plattformverwaltung')).toBeEnabled()
  expect(screen.queryByText(hint)).not.toBeInTheDocument()
})

it('restricts the permissions of the roles, including roles added later', async () => {
  const { user } = renderApp('/users/new')
  const [, second] = db.roles
  await user.click(await box(second?.name ?? ''))
  await user.click(await box('Rechte einschränken'))
  const count = (expected: number) => expect(screen.getByText(/Rechte gewählt/)).toHaveTextContent(`${expected} Rechte gewählt`)
  count(second?.permissions.length ?? 0)
  await user.click(await box('Plattformverwaltung'))
  count(db.roles[0]?.permissions.length ?? 0)
  // the form keeps the permissions while the user tries it without the restriction
  await user.click(await box('Adminbereich nutzen'))
  await user.click(await box('Rechte einschränken'))
  await user.click(await box('Rechte einschränken'))
  count((db.roles[0]?.permissions.length ?? 0) - 1)
})
