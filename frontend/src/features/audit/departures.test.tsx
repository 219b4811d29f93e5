import { screen, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { expect, it } from 'vitest'
import type { AuditEntry } from '~/api/schema'
import { http } from '~/mocks/server'
import { renderApp } from '~/test/render'
import { server } from '~/test/server'

const WORKING = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
const daily = (time: string) => WORKING.map((weekday) => ({ weekday, time }))

const entry = (id: number, action: AuditEntry['action'], changes: Partial<Record<string, [unknown, unknown]>>): AuditEntry => ({
  id,
  at: '2026-11-23T09:30:00Z',
  action,
  record: 'shipping_leg',
  record_id: 7,
  record_name: `Strecke ${id}`,
  tenant: null,
  user: { id: 1, name: 'Eva Lindner', platform: false },
  channel: 'session',
  through: null,
  address: null,
  request_id: null,
  undoes: null,
  undone: false,
  undoable: false,
  changes: Object.entries(changes).map(([field, [from, to] = [null, null]]) => ({ field, of: null, unit: null, from, to })) as never,
})

it('shows departures and exceptions of a leg in their notation for users', async () => {
  const data = [
    entry(1, 'created', { departures: [[], daily('06:00')], exceptions: [[], []] }),
    entry(2, 'changed', {
      departures: [daily('06:00'), [...daily('06:30'), { weekday: 'saturday', time: '08:00' }]],
      exceptions: [[], [{ date: '2026-12-24', time: null, type: 'dropped' }]],
    }),
  ]
  const meta = { current_page: 1, last_page: 1, per_page: 40, total: data.length }
  server.use(http.get('/api/admin/audit', () => HttpResponse.json({ data, meta })))
  renderApp('/audit')
  const row = async (name: string) => within((await screen.findByText(name)).closest('tr') as HTMLElement)
  const created = await row('Strecke 1')
  expect(await created.findByText(/Mo–Fr 06:00$/)).toBeVisible()
  expect(created.queryByText(/Ausnahmen/)).not.toBeInTheDocument()
  const changed = await row('Strecke 2')
  expect(await changed.findByText(/Mo–Fr 06:30; Sa 08:00$/)).toBeVisible()
  expect(changed.getByText(/Mo–Fr 06:00$/)).toBeVisible()
  expect(changed.getByText(/24\.12\.2026 entfällt$/)).toBeVisible()
  expect(changed.queryByRole('button', { name: /weitere/ })).not.toBeInTheDocument()
})
