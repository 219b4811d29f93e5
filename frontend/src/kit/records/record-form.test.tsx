import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { server } from '~/test/server'

it('reports that the record has been deleted by another person, and keeps the input', async () => {
  const { user } = renderApp('/tenant-groups/1')
  const form = within(await screen.findByRole('dialog'))
  await user.type(await form.findByLabelText('Beschreibung'), ' und mehr')
  const problem = { code: 'not_found', message: 'Nicht gefunden.', errors: {}, used_by: null, request_id: 'x' }
  server.use(http.put('*/api/admin/tenant-groups/1', () => HttpResponse.json(problem, { status: 404 })))
  await user.click(form.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(form.getByRole('alert')).toHaveTextContent('Diesen Eintrag gibt es nicht (mehr).'))
  expect((form.getByLabelText('Beschreibung') as HTMLInputElement).value).toMatch(/ und mehr$/)
})
