import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import type { UndoOutcome } from '~/api/schema'
import { renderApp } from '~/test/render'
import { db, server } from '~/test/server'
import { stretchTimeouts } from '~/test/timers'

const SAVE = '0'.repeat(31)
const DONE: UndoOutcome = { done: 1, refused: [], asks_for_articles: null, asks_for_deletions: null }
/** Bodies of the undo requests. */
let undoBodies: unknown[] = []

function undoing(...answers: UndoOutcome[]) {
  server.use(
    http.put('*/api/admin/materials/:id', async ({ request, params }) => {
      const row = db.materials.find(({ id }) => id === Number(params.id))
      return HttpResponse.json({ ...row, ...((await request.json()) as object) }, { headers: { 'x-request-id': `${SAVE}1` } })
    }),
    http.delete('*/api/admin/materials/:id', () => new HttpResponse(null, { status: 204, headers: { 'x-request-id': `${SAVE}2` } })),
    http.post('*/api/admin/audit/undo', async ({ request }) => {
      undoBodies.push(await request.json())
      return HttpResponse.json(answers.shift() ?? DONE, { headers: { 'x-request-id': `${SAVE}3` } })
    }),
  )
}

async function save() {
  const app = renderApp('/materials')
  await app.user.click(await screen.findByRole('link', { name: 'C45' }))
  const drawer = await screen.findByRole('dialog')
  await app.user.type(await within(drawer).findByLabelText('Anzeigename'), 'x{Control>}{Enter}{/Control}')
  expect(await screen.findByText('„C45“ wurde gespeichert')).toBeInTheDocument()
  // until then the message is shown in the drawer
  await waitFor(() => expect(drawer).not.toBeInTheDocument())
  await app.user.click(await screen.findByRole('button', { name: 'Rückgängig' }))
  return app
}

/** Time after which messages close by themselves. */
const SHOWN_MS = 4000

beforeEach(() => {
  undoBodies = []
  // on a slow machine they would close before they are found
  stretchTimeouts(SHOWN_MS, 60_000)
})

it('can be triggered by a key while the message is shown', async () => {
  undoing()
  const { user } = renderApp('/materials')
  await user.click(await screen.findByRole('button', { name: 'Aktionen für C45' }))
  await user.click(screen.getByRole('menuitem', { name: 'Löschen' }))
  await user.click(await within(await screen.findByRole('alertdialog')).findByRole('button', { name: 'Löschen' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
  expect(await screen.findByRole('button', { name: 'Rückgängig' })).toHaveAttribute('aria-keyshortcuts', 'z')
  await user.keyboard('z')
  expect(await screen.findByText('Rückgängig gemacht')).toBeInTheDocument()
  expect(undoBodies).toEqual([{ request_id: `${SAVE}2` }])
})

it('offers to undo a save, and to undo that undo', async () => {
  undoing()
  const { user } = await save()
  expect(await screen.findByText('Rückgängig gemacht')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Rückgängig' }))
  await waitFor(() => expect(undoBodies).toEqual([{ request_id: `${SAVE}1` }, { request_id: `${SAVE}3` }]))
})

it('shows the reason of a refusal', async () => {
  undoing()
  const problem = { code: 'changed_since', message: 'Inzwischen erneut geändert: Dichte.' }
  server.use(http.post('*/api/admin/audit/undo', () => HttpResponse.json(problem, { status: 409 })))
  await save()
  expect(await screen.findByText('Nicht rückgängig gemacht. Inzwischen erneut geändert: Dichte.')).toBeInTheDocument()
})

it('asks for confirmation if other articles change than at the time', async () => {
  undoing({ ...DONE, done: 0, asks_for_articles: 12 })
  const { user } = await save()
  const question = await screen.findByRole('alertdialog')
  expect(question).toHaveTextContent('ändern sich damit 12 Artikel')
  await user.click(within(question).getByRole('button', { name: 'Rückgängig machen' }))
  expect(await screen.findByText('Rückgängig gemacht')).toBeInTheDocument()
  expect(undoBodies[1]).toEqual({ request_id: `${SAVE}1`, change_articles: 12 })
})

it('lists refused records, and offers to undo the rest', async () => {
  undoing({
    done: 2,
    refused: [{ id: 7, name: 'S355', messages: ['Bereits vergeben'] }],
    asks_for_articles: null,
    asks_for_deletions: null,
  })
  await save()
  const report = await screen.findByRole('alertdialog', { name: '1 Eintrag bleibt, wie er ist' })
  expect(within(report).getByRole('heading', { name: 'Bereits vergeben' })).toBeInTheDocument()
  expect(within(report).getByRole('listitem')).toHaveTextContent('S355')
  expect(await screen.findByText('2 Änderungen wurden rückgängig gemacht')).toBeInTheDocument()
})

it('offers to undo a deletion', async () => {
  undoing()
  const { user } = renderApp('/materials')
  await user.click(await screen.findByRole('button', { name: 'Aktionen für C45' }))
  await user.click(screen.getByRole('menuitem', { name: 'Löschen' }))
  const question = await screen.findByRole('alertdialog')
  expect(await within(question).findByText(/Sie können das danach rückgängig machen/)).toBeInTheDocument()
  await user.click(await within(question).findByRole('button', { name: 'Löschen' }))
  await user.click(await screen.findByRole('button', { name: 'Rückgängig' }))
  await waitFor(() => expect(undoBodies).toEqual([{ request_id: `${SAVE}2` }]))
})

it('asks before the undo of a creation deletes records, with the number of prices', async () => {
  const deletes = { records: 1, prices: 5000 }
  undoing({ ...DONE, done: 0, asks_for_deletions: deletes })
  const { user } = await save()
  const question = await screen.findByRole('alertdialog', { name: 'Eintrag löschen?' })
  expect(question).toHaveTextContent('Mit gelöscht werden 5.000 Preise.')
  expect(undoBodies).toHaveLength(1)
  await user.click(within(question).getByRole('button', { name: 'Löschen' }))
  expect(await screen.findByText('Rückgängig gemacht')).toBeInTheDocument()
  expect(undoBodies[1]).toEqual({ request_id: `${SAVE}1`, deletes })
})

it('deletes nothing if the user declines', async () => {
  undoing({ ...DONE, done: 0, asks_for_deletions: { records: 1, prices: 0 } })
  const { user } = await save()
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Abbrechen' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
  expect(undoBodies).toHaveLength(1)
})
