import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { changeLanguage } from '~/i18n/i18n'
import { renderApp } from '~/test/render'

const NAMES = { de: /^Hilfe zu dieser Seite.*neuen Tab/, en: /^Help for this page.*new tab/ }
const PUBLIC = ['/login', '/forgot-password', '/check-mail', '/password-reset', '/email-undo', '/verification']

it.each(PUBLIC)('links from %s to the handbook page about signing in, in both languages', async (path) => {
  renderApp(path, null)
  const link = await screen.findByRole('link', { name: NAMES.de })
  expect(link).toHaveAttribute('href', '/help/de/first-steps')
  expect(link).toHaveAttribute('target', '_blank')
  await changeLanguage('en')
  expect(await screen.findByRole('link', { name: NAMES.en })).toHaveAttribute('href', '/help/en/first-steps')
})

it('reaches the link by keyboard', async () => {
  const { user } = renderApp('/login', null)
  const link = await screen.findByRole('link', { name: NAMES.de })
  for (let presses = 0; presses < 12 && document.activeElement !== link; presses++) await user.tab()
  expect(link).toHaveFocus()
})

it('links from the page for users without permissions', async () => {
  renderApp('/home', 'nobody')
  expect(await screen.findByRole('link', { name: NAMES.de })).toHaveAttribute('href', '/help/de/first-steps')
})
