import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import type { Usage } from '~/api/schema'
import { renderApp } from '~/test/render'
import { db, deferredAnswer, requests, server } from '~/test/server'

const usage: Usage = {
  by: 'articles',
  filter: 'material_id',
  count: 1234,
  examples: [
    { id: 7, name: 'HEB-200-S235JR' },
    { id: 9, name: 'HEB-220-S235JR' },
  ],
}

async function askToDelete(name: string) {
  const app = renderApp('/materials?tenantId=2')
  await app.user.click(await screen.findByRole('button', { name: `Aktionen für ${name}` }))
  await app.user.click(screen.getByRole('menuitem', { name: 'Löschen' }))
  return { ...app, dialog: await screen.findByRole('alertdialog') }
}

describe('deleting', () => {
  it('shows what uses a record instead of asking', async () => {
    server.use(http.get('*/api/admin/materials/:id/usage', () => HttpResponse.json({ data: [usage] })))
    const { user, dialog, path, search } = await askToDelete('11SMn30')
    const example = await within(dialog).findByRole('link', { name: 'HEB-220-S235JR' })
    expect(dialog).toHaveAccessibleName('„11SMn30“ wird noch verwendet')
    expect(example).toHaveAttribute('href', '/articles/9?tenantId=2')
    expect(within(dialog).queryByRole('button', { name: 'Löschen' })).not.toBeInTheDocument()
    await user.click(within(dialog).getByRole('link', { name: 'Alle 1.234 Artikel anzeigen' }))
    await waitFor(() => expect(path() + search()).toBe('/articles?tenantId=2&f.material_id=9'))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
  })

  it('offers no deletion before the usage is loaded', async () => {
    const { opened, open } = deferredAnswer()
    server.use(
      http.get('*/api/admin/materials/:id/usage', async () => {
        await opened
        return HttpResponse.json({ data: [] })
      }),
    )
    const { dialog } = await askToDelete('11SMn30')
    expect(within(dialog).queryByRole('button', { name: 'Löschen' })).not.toBeInTheDocument()
    open()
    expect(await within(dialog).findByRole('button', { name: 'Löschen' })).toBeEnabled()
  })

  it('shows the same if a reference was added meanwhile', async () => {
    server.use(
      http.delete('*/api/admin/materials/:id', () =>
        HttpResponse.json({ code: 'in_use', message: 'x', errors: null, used_by: [usage], request_id: '1' }, { status: 409 }),
      ),
    )
    const { user, dialog } = await askToDelete('11SMn30')
    await user.click(await within(dialog).findByRole('button', { name: 'Löschen' }))
    expect(await within(dialog).findByRole('link', { name: 'HEB-200-S235JR' })).toBeInTheDocument()
    expect(within(dialog).queryByRole('button', { name: 'Löschen' })).not.toBeInTheDocument()
  })

  it('does not name records that the user may not list', async () => {
    server.use(http.get('*/api/admin/materials/:id/usage', () => HttpResponse.json({ data: [{ ...usage, count: 1, examples: [] }] })))
    const { dialog } = await askToDelete('11SMn30')
    expect(await within(dialog).findByText('Welche das sind, dürfen Sie nicht sehen.')).toBeInTheDocument()
    expect(within(dialog).getByRole('heading', { level: 3 })).toHaveTextContent('1 Artikel')
    expect(within(dialog).queryByRole('link')).not.toBeInTheDocument()
  })
})

it('is shown below the form of a record', async () => {
  renderApp('/attributes/1')
  const panel = await screen.findByRole('region', { name: 'Verwendet in' })
  expect(await within(panel).findByRole('link', { name: 'Hohlprofil' })).toHaveAttribute('href', '/articleTypes/1')
  expect(db.articleTypes).toHaveLength(2)
})

it('is not requested for a new record', async () => {
  renderApp('/materials/new')
  await screen.findByLabelText(/^Name/)
  expect(requests.filter((request) => request.includes('usage'))).toEqual([])
})
