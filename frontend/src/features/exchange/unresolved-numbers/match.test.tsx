import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import type { Import, UnresolvedNumberDetail } from '~/api/schema'
import { renderApp } from '~/test/render'
import { db, server } from '~/test/server'

const NUMBER: UnresolvedNumberDetail = {
  id: 7,
  kind: 'article',
  number: '0009901',
  designation: 'IPE 160 S235JR 12,1 m',
  gtin: '',
  state: 'open',
  times: 2,
  waiting: 2,
  import_id: 3,
  version: 1,
  first_seen: '2026-11-20T08:00:00Z',
  last_seen: '2026-11-20T08:00:00Z',
  suggestions: [{ id: 1, number: 'IPE-160-S235JR-12.1', name: 'IPE 160 S235JR 12,1 m', reason: 'designation' }],
}

/** Sets up a number whose rows are imported by the first import, which ends with the given values. */
function matching(end: Partial<Import>) {
  const [first] = db.imports
  if (!first) throw new Error('no import')
  const replay: Import = { ...first, status: 'Queued', replays: 3, replay_cause: 'request', rows_done: 0 }
  const states: Import[] = [replay, { ...replay, rows_created: 0, rows_updated: 0, rows_unchanged: 0, ...end }]
  server.use(
    http.get('*/api/admin/unresolved-numbers', () =>
      HttpResponse.json({ data: [NUMBER], meta: { total: 1, current_page: 1, last_page: 1, per_page: 40 } }),
    ),
    http.get('*/api/admin/unresolved-numbers/7', () => HttpResponse.json(NUMBER)),
    http.post('*/api/admin/unresolved-numbers/7/match', () => HttpResponse.json({ imports: [first.id] })),
    http.get(`*/api/admin/imports/${first.id}`, () => HttpResponse.json(states.length > 1 ? states.shift() : states[0])),
    http.get(`*/api/admin/imports/${first.id}/error-groups`, () =>
      HttpResponse.json({
        data: [{ column: null, code: 'no_stock', rows: 1, first: [{ line: 7, message: 'Im Lager DU gibt es keinen Bestand' }] }],
      }),
    ),
  )
}

async function match() {
  const { user } = renderApp('/unresolved-numbers/7', 'tenantAdmin')
  await user.click(await screen.findByRole('button', { name: /IPE-160-S235JR-12.1/ }))
  await user.click(screen.getByRole('button', { name: 'Zuordnen' }))
  expect(await screen.findByText('„0009901“ ist zugeordnet.')).toBeInTheDocument()
  return within(screen.getByRole('dialog'))
}

describe('matching a number', () => {
  it('waits for the import of the rows, and reports it', async () => {
    matching({ status: 'Success', rows_updated: 2 })
    const dialog = await match()
    expect(await dialog.findByText(/Die wartenden Zeilen werden importiert/)).toBeInTheDocument()
    expect(await dialog.findByText(/Wartende Zeilen importiert: 2\sgeändert\./, {}, { timeout: 5_000 })).toBeInTheDocument()
    expect(dialog.getByRole('link', { name: 'Import Nr. 1 ansehen' })).toHaveAttribute('href', expect.stringMatching(/^\/imports\/1/))
  })

  it('shows the reason if rows were refused', async () => {
    matching({ status: 'PartialSuccess', rows_updated: 1, rows_refused: 1 })
    const dialog = await match()
    const refused = /Nicht alle wartenden Zeilen konnten importiert werden: 1\sgeändert, 1\sabgelehnt\./
    expect(await dialog.findByText(refused, {}, { timeout: 5_000 })).toBeInTheDocument()
    expect(await dialog.findByText(/Im Lager DU gibt es keinen Bestand/)).toBeInTheDocument()
  })

  it.each(['Failed', 'Cancelled'] as const)('does not call rows imported if the import has ended as %s', async (status) => {
    matching({ status, status_message: 'Die Datei ist beschädigt' })
    const dialog = await match()
    expect(await dialog.findByText(/Die wartenden Zeilen wurden nicht importiert\./, {}, { timeout: 5_000 })).toBeInTheDocument()
    expect(dialog.queryByText(/Wartende Zeilen importiert/)).not.toBeInTheDocument()
  })
})
