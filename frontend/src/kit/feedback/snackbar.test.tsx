import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { notify } from './snackbar'

it('is shown in the drawer or dialog that was opened last, and by the page without one', async () => {
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
