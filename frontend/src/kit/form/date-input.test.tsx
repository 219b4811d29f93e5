import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { i18n } from '~/i18n/i18n'
import { renderApp } from '~/test/render'

async function open() {
  const app = renderApp('/materials')
  await app.user.click(await screen.findByRole('button', { name: /^Filter$/ }))
  const form = within(await screen.findByRole('dialog'))
  await app.user.selectOptions(await form.findByRole('combobox', { name: 'Feld' }), 'updated_at')
  return { ...app, form, field: await form.findByRole('textbox') }
}

it('reads a day in the local notation, and describes the expected format', async () => {
  const { user, form, field, search } = await open()
  await user.type(field, '31.02.2026{Enter}')
  expect(field).toHaveAccessibleDescription(/^Kein gültiges Datum: bitte TT\.MM\.JJJJ/)
  await user.clear(field)
  await user.type(field, '1.3.26')
  await user.tab()
  expect(field).toHaveValue('01.03.2026')
  await user.click(form.getByRole('button', { name: 'Anwenden' }))
  await waitFor(() => expect(search()).toContain('f.updated_at=2026-03-01'))
})

it('is chosen from a calendar by keyboard', async () => {
  const { user, field } = await open()
  await user.type(field, '31.01.2026')
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
  const chosen = await screen.findByRole('button', { name: 'Samstag, 31. Januar 2026' })
  await waitFor(() => expect(chosen).toHaveFocus())
  expect(chosen).toHaveAttribute('aria-pressed', 'true')
  await user.keyboard('{PageDown}{ArrowRight}')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Sonntag, 1. März 2026' })).toHaveFocus())
  await user.keyboard('{Enter}')
  await waitFor(() => expect(field).toHaveValue('01.03.2026'))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Sonntag, 1. März 2026' })).toBeNull())
  await i18n.changeLanguage('en')
  await waitFor(() => expect(field).toHaveValue('01-03-2026'))
  await i18n.changeLanguage('de')
})
