import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import type { AuditEntry } from '~/api/schema'
import { renderApp } from '~/test/render'
import { server } from '~/test/server'

const REQUEST = '019376f0c2d87b3fb1f4a0e5c6d7e8f9'

const summary = (id: number, more: Partial<AuditEntry>): AuditEntry => ({
  id,
  at: '2026-11-23T09:30:00Z',
  action: 'prices_changed',
  record: 'price_list',
  record_id: 3,
  record_name: `Verkauf ${id}`,
  tenant: null,
  user: { id: 1, name: 'Eva Lindner', platform: false },
  channel: 'session',
  through: null,
  address: null,
  changes: [],
  request_id: REQUEST,
  undoes: null,
  undone: false,
  undoable: false,
  ...more,
})

const countChange = (field: string, to: number) => ({ field, of: null, unit: null, from: null, to })

it('shows the number of prices of a list that were changed together, and links to each of them', async () => {
  const data = [
    summary(1, { changes: [countChange('prices_added', 3), countChange('prices_changed', 1437), countChange('prices_removed', 1)] }),
    summary(2, {
      channel: 'import',
      through: { id: 7, name: 'Preise.xlsx', platform: false },
      request_id: null,
      changes: [countChange('prices_held', 1)],
    }),
  ]
  const searches: string[] = []
  server.use(
    http.get('*/api/admin/audit', ({ request }) => {
      searches.push(decodeURIComponent(new URL(request.url).search))
      return HttpResponse.json({ data, meta: { current_page: 1, last_page: 1, per_page: 40, total: data.length } })
    }),
  )
  const { user } = renderApp('/audit')
  const saved = within((await screen.findByText('Verkauf 1')).closest('tr') as HTMLElement)
  expect(await saved.findByText(/1\.437 Preise geändert, 3 neu, 1 entfernt/)).toBeVisible()
  expect(saved.queryByRole('button', { name: /rückgängig/i })).not.toBeInTheDocument()
  const imported = within((await screen.findByText('Verkauf 2')).closest('tr') as HTMLElement)
  expect(await imported.findByText(/1 wartet auf Freigabe/)).toBeVisible()
  expect(imported.getByRole('link', { name: 'Import ansehen' })).toHaveAttribute('href', expect.stringMatching(/^\/imports\/7/))
  await user.click(saved.getByRole('link', { name: 'Preise ansehen' }))
  await waitFor(() => expect(searches.at(-1)).toContain(`filter[request_id]=${REQUEST}`))
  expect(searches.at(-1)).toContain('filter[record]=price_list_entry')
  expect(await screen.findByText(/Zusammen gespeichert ist/)).toBeVisible()
})
