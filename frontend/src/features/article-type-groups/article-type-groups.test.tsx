import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { db } from '~/test/server'

it('lists groups with how many article types they have, and changes one', async () => {
  const { user, path } = renderApp('/article-type-groups')
  expect(await screen.findByRole('row', { name: /Formstahl.*Träger und Winkel.*2/ })).toBeInTheDocument()
  await user.click(screen.getByRole('link', { name: 'Bleche' }))
  await user.type(await screen.findByLabelText('Beschreibung'), 'Quarto und Coil')
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(path()).toBe('/article-type-groups'))
  expect(db.articleTypeGroups[1]).toMatchObject({ name: 'Bleche', description: 'Quarto und Coil', version: 2 })
})
