import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderApp } from '~/test/render'

async function open() {
  const app = renderApp('/attributes/new')
  // the attribute's own field has the focus; this is the name of its first option
  const name = (await screen.findAllByRole('textbox', { name: 'Name' })).at(-1) as HTMLElement
  await app.user.click(name)
  const before = screen.queryAllByText('Pflichtfeld').length
  return { ...app, name, errors: () => screen.queryAllByText('Pflichtfeld').length - before }
}

it('shows an error only after the mouse button is released, so that nothing moves below the pointer', async () => {
  const { user, name, errors } = await open()
  const primary = screen.getByRole('checkbox', { name: /^Primär/ })
  await user.pointer({ keys: '[MouseLeft>]', target: primary })
  expect(name).not.toHaveFocus()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(errors()).toBe(0)
  await user.pointer({ keys: '[/MouseLeft]', target: primary })
  await expect.poll(errors, { timeout: 15_000 }).toBe(1)
  expect(primary).toBeChecked()
})

it('shows the error immediately when the field is left by keyboard', async () => {
  const { user, errors } = await open()
  await user.tab()
  await expect.poll(errors, { timeout: 15_000 }).toBe(1)
})
