import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { db } from '~/test/server'

const box = (name: string) => screen.findByRole('checkbox', { name })
const reason = /Ausgegraute Rollen enthalten Rechte, die Sie selbst nicht haben/

it('offers roles with more rights than one holds only to be narrowed, and says so', async () => {
  const admin = db.users.find(({ id }) => id === 1)
  if (admin) admin.permissions = admin.permissions.filter(({ name }) => name !== 'tenant.delete')
  const { user } = renderApp('/users/new')
  expect(await box('Plattformverwaltung')).toBeDisabled()
  expect((await box('Plattformverwaltung')).closest('[title]')).toHaveAttribute('title', expect.stringMatching(reason))
  expect(screen.getByText(reason)).toBeInTheDocument()
  expect(await box('Sachbearbeitung')).toBeEnabled()

  await user.click(await box('Rechte einschränken'))
  expect(await box('Plattformverwaltung')).toBeEnabled()
  expect(screen.queryByText(reason)).not.toBeInTheDocument()
})
