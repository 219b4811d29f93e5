import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { expect, it } from 'vitest'
import type { UnresolvedNumber } from '~/api/schema'
import { http } from '~/mocks/server'
import { renderApp } from '~/test/render'
import { server } from '~/test/server'

const number = (id: number, text: string): UnresolvedNumber => ({
  id,
  kind: 'article',
  number: text,
  designation: 'Träger',
  gtin: '',
  state: 'open',
  times: 1,
  waiting: 1,
  import_id: null,
  version: 1,
  first_seen: '2026-11-01T08:00:00Z',
  last_seen: '2026-11-01T08:00:00Z',
})
const meta = { current_page: 1, last_page: 1, per_page: 40, total: 3 }
const suggestion = (id: number, text: string) => ({
  id,
  suggestions: [{ id: id + 10, number: text, name: `Träger ${text}`, reason: 'designation' as const }],
})

it('shows suggestions in the list, and accepts the selected ones together', async () => {
  const sent: unknown[] = []
  server.use(
    http.get('/api/admin/unresolved-numbers', () =>
      HttpResponse.json({ data: [number(1, '4711'), number(2, '4712'), number(3, '0815')], meta }),
    ),
    http.get('/api/admin/unresolved-numbers/suggestions', () =>
      HttpResponse.json({ data: [suggestion(1, 'HEB-200'), suggestion(2, 'HEB-220'), { id: 3, suggestions: [] }], meta }),
    ),
    http.post('/api/admin/unresolved-numbers/bulk-match', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ done: 1, refused: [], imports: [7] })
    }),
  )
  const { user } = renderApp('/unresolved-numbers', 'tenantAdmin')
  expect(await screen.findByRole('button', { name: 'Vorschlag HEB-200 für 4711 übernehmen' })).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: /für 0815 übernehmen/ })).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Vorschläge übernehmen …' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Vorschläge übernehmen?' }))
  await user.click(dialog.getByRole('checkbox', { name: /4712 → HEB-220/ }))
  await user.click(dialog.getByRole('button', { name: 'Eine Nummer zuordnen' }))
  expect(await screen.findByText('Eine Nummer ist zugeordnet, die wartenden Zeilen werden importiert')).toBeInTheDocument()
  expect(sent).toEqual([{ matches: [{ number_id: 1, target: 'HEB-200' }] }])
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})
