import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderApp } from '~/test/render'
import { notify } from './snackbar'

it('is shown in the drawer or dialog that was opened last, or else on the page', async () => {
  const { user } = renderApp('/materials/1')
  const drawer = await screen.findByRole('dialog')
  act(() => notify.success('Einmal'))
  expect(await within(drawer).findByRole('status')).toHaveTextContent('Einmal')

  await user.type(await within(drawer).findByLabelText('Anzeigename'), 'x')
  await user.keyboard('{Escape}')
  const question = await screen.findByRole('alertdialog')
  act(() => notify.success('Zweimal'))
  await waitFor(() => expect(within(question).getByRole('status')).toHaveTextContent('Zweimal'))

  await user.click(within(question).getByRole('button', { name: 'Änderungen verwerfen' }))
  await waitFor(() => expect(drawer).not.toBeInTheDocument())
  act(() => notify.success('Dreimal'))
  expect(await screen.findByText('Dreimal')).toBeInTheDocument()
})

it('shows background news after the current message', async () => {
  const { user } = renderApp('/materials')
  await screen.findByRole('table')
  act(() => notify.undoable('Gelöscht', () => {}))
  act(() => notify.news('success', 'Erster Import'))
  act(() => notify.news('warning', 'Zweiter Import'))
  expect(await screen.findByText('Gelöscht')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Rückgängig' })).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Meldung ausblenden' }))
  expect(await screen.findByText('Zweiter Import')).toBeInTheDocument()
  expect(screen.queryByText('Gelöscht')).not.toBeInTheDocument()
  act(() => notify.news('success', 'Dritter Import'))
  expect(await screen.findByText('Dritter Import')).toBeInTheDocument()
  expect(screen.queryByText('Zweiter Import')).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Meldung ausblenden' }))
  await waitFor(() => expect(screen.queryByText(/Import$/)).not.toBeInTheDocument())
})

it('does not cover the bar of a sheet', async () => {
  renderApp('/materials')
  await screen.findByRole('table')
  const bar = document.body.appendChild(document.createElement('div'))
  bar.dataset.sheetBar = ''
  vi.spyOn(bar, 'getBoundingClientRect').mockReturnValue({ top: window.innerHeight - 60 } as DOMRect)
  act(() => notify.error('Nichts gespeichert'))
  expect((await screen.findByRole('alert')).parentElement).toHaveStyle({ bottom: '68px' })
  bar.remove()
})
