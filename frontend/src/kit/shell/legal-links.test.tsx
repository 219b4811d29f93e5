import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderApp } from '~/test/render'

it.each([
  ['/login', null],
  ['/home', 'admin'],
] as const)('links from %s only to configured pages', async (path, user) => {
  renderApp(path, user)
  const footer = within(await screen.findByRole('contentinfo'))
  const link = await footer.findByRole('link', { name: /^Impressum.*neuen Tab/ })
  expect(link).toHaveAttribute('href', 'https://stalhof.example/imprint')
  expect(link).toHaveAttribute('target', '_blank')
  expect(footer.queryByRole('link', { name: /Datenschutz/ })).toBeNull()
})
