import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { deferredAnswer, server } from '~/test/server'

it('names the rows on screen, even while others are loading', async () => {
  const { user, search } = renderApp('/materials?size=20')
  expect(await screen.findByText('1–20 von 24')).toBeInTheDocument()
  const { opened, open } = deferredAnswer()
  server.use(
    http.get('*/api/admin/materials', async () => {
      await opened
      return HttpResponse.json({ data: [], meta: { current_page: 2, last_page: 2, per_page: 20, total: 24 } })
    }),
  )
  await user.click(screen.getByRole('button', { name: 'Nächste Seite' }))
  await waitFor(() => expect(search()).toContain('page=2'))
  expect(screen.getByText('1–20 von 24')).toBeInTheDocument()
  expect(screen.getByRole('textbox', { name: 'Seite' })).toHaveValue('1')
  open()
  expect(await screen.findByText('21–24 von 24')).toBeInTheDocument()
  expect(screen.getByRole('textbox', { name: 'Seite' })).toHaveValue('2')
})
