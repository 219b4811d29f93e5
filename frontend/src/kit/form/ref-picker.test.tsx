import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { db } from '~/test/server'

async function picker() {
  const { user } = renderApp('/articles/2')
  const field = await screen.findByRole('combobox', { name: /^Werkstoff/ })
  await waitFor(() => expect(field).toHaveValue('S235JR'))
  await user.clear(field)
  const names = () =>
    within(screen.getByRole('listbox'))
      .getAllByRole('option')
      .map(({ textContent }) => textContent)
  return { user, field, names }
}

it('picks the only match on Enter, even before the server has answered, and does not save', async () => {
  const { user, field } = await picker()
  await user.type(field, '42crmo4+{Enter}')
  await waitFor(() => expect(field).toHaveValue('42CrMo4+N'))
  expect(screen.queryByRole('listbox')).not.toBeInTheDocument()
  expect(field).toHaveFocus()
  expect(db.articles[1]?.version).toBe(1)
})

it('applies Enter when the field is left before the server has answered', async () => {
  const { user, field } = await picker()
  await user.type(field, '42crmo4+{Enter}{Tab}')
  expect(field).not.toHaveFocus()
  await waitFor(() => expect(field).toHaveValue('42CrMo4+N'))
})

it('lists an exact match first and picks it on Enter', async () => {
  const [first] = db.materials
  if (!first) throw new Error('no material')
  db.materials.push({ ...first, id: 90, name: 'C4' }, { ...first, id: 91, name: 'AC4' })
  const { user, field, names } = await picker()
  await user.type(field, 'c4')
  await waitFor(() => expect(names()).toEqual(['C4', 'AC4', 'C45', 'C45+N']))
  await user.keyboard('{Enter}')
  expect(field).toHaveValue('C4')
})

it('picks none of several matches on Enter and saves nothing', async () => {
  const { user, field, names } = await picker()
  await user.click(field)
  await user.paste('s355')
  await waitFor(() => expect(names()).not.toContain('C45'))
  expect(names().length).toBeGreaterThan(1)
  await user.keyboard('{Enter}')
  expect(field).toHaveValue('s355')
  expect(screen.getByRole('listbox')).toBeInTheDocument()
  expect(db.articles[1]?.version).toBe(1)
})

it('picks the option that the arrow keys highlight', async () => {
  const { user, field, names } = await picker()
  await user.click(field)
  await user.paste('s355')
  await waitFor(() => expect(names()).not.toContain('C45'))
  const [, second = ''] = names()
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  expect(field).toHaveValue(second)
})

it('empties itself for the next choice, even when the full name was typed', async () => {
  const { user } = renderApp('/tenant-groups/1')
  const add = await screen.findByRole('combobox', { name: 'Mandant hinzufügen' })
  await user.type(add, 'Südrohr AG')
  await user.click(await screen.findByRole('option', { name: 'Südrohr AG' }))
  expect(screen.getByRole('button', { name: 'Südrohr AG Entfernen' })).toBeInTheDocument()
  expect(add).toHaveValue('')
})

it('shows text that does not fit as a tooltip while it is closed', async () => {
  const { user } = renderApp('/articles/2')
  const field = await screen.findByRole('combobox', { name: /^Werkstoff/ })
  await waitFor(() => expect(field).toHaveAttribute('title', 'S235JR'))
  await user.click(field)
  expect(field).not.toHaveAttribute('title')
})
