import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderApp } from '~/test/render'

async function open() {
  const app = renderApp('/attributes/new')
  // that of the attribute has had the focus; this is the one of its first option
  const name = (await screen.findAllByRole('textbox', { name: 'Name' })).at(-1) as HTMLElement
  await app.user.click(name)
  const before = screen.queryAllByText('Pflichtfeld').length
  return { ...app, name, errors: () => screen.queryAllByText('Pflichtfeld').length - before }
}

it('moves nothing below the pointer while its button is down, and says what is wrong once it is up', async () => {
  const { user, name, errors } = await open()
  const primary = screen.getByRole('checkbox', { name: /^Primär/ })
  await user.pointer({ keys: '[MouseLeft>]', target: primary })
  expect(name).not.toHaveFocus()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(errors()).toBe(0)
  await user.pointer({ keys: '[/MouseLeft]', target: primary })
  await expect.poll(errors).toBe(1)
  expect(primary).toBeChecked()
})

it('says it at once to who leaves by the keyboard', async () => {
  const { user, errors } = await open()
  await user.tab()
  await expect.poll(errors).toBe(1)
})
