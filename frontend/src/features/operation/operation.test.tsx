import { screen, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { changeLanguage } from '~/i18n/i18n'
import { renderApp } from '~/test/render'
import { db } from '~/test/server'

beforeEach(() => changeLanguage('de'))

it('shows running work, and explains failures', async () => {
  const job = {
    name: 'history',
    state: 'failing' as const,
    last_started_at: '2026-11-28T08:00:00Z',
    last_finished_at: '2026-11-28T07:00:00Z',
    due_at: '2026-11-28T08:01:00Z',
    process: null,
    last_failed_at: '2026-11-28T08:00:00Z',
    last_failure: 'unexpected',
    failures_in_row: 1,
    runs: 1440,
    failed_runs: 2,
  }
  const process = { name: 'steel-1:4711:9f3a5c7e', version: '1.0.0', started_at: '2026-11-28T05:00:00Z', seen_at: '2026-11-28T08:00:00Z' }
  db.backgroundWork = {
    jobs: [{ ...job, name: 'a_later_one', state: 'waiting', last_failure: null, last_failed_at: null }, job],
    queues: [{ name: 'imports', waiting: 3, waiting_since: '2026-11-28T07:59:00Z', running: 1, failed: 0 }],
    processes: [
      { ...process, alive: true },
      { ...process, name: 'steel-2:4712:1b2c3d4e', alive: false },
    ],
  }
  renderApp('/operation', 'admin')
  const rows = async (name: string) =>
    within(await screen.findByRole('table', { name }))
      .getAllByRole('row')
      .slice(1)
  const [alive, silent] = await rows('Serverprozesse')
  expect(alive).toHaveTextContent('Läuft')
  expect(silent).toHaveTextContent('Kein Lebenszeichen')
  expect(silent).toHaveTextContent('Er wurde beendet, ohne sich abzumelden')
  const [imports] = await rows('Warteschlangen')
  expect(imports).toHaveTextContent('Arbeitet')
  expect(imports).toHaveTextContent('Importe')
  const [failing, later] = await rows('Regelmäßige Aufgaben')
  expect(failing).toHaveTextContent('Alte Einträge des Verlaufs löschen')
  expect(failing).toHaveTextContent('(unexpected). Wird wiederholt')
  expect(later).toHaveTextContent('a_later_one')
})

it('explains that an embedded database has one process', async () => {
  renderApp('/operation', 'admin')
  expect(await screen.findByText('Eine eingebettete Datenbank hat nur einen Prozess: diesen.')).toBeInTheDocument()
})

it('is closed to users of a tenant', async () => {
  renderApp('/operation', 'tenantAdmin')
  expect(await screen.findByText('Keine Berechtigung')).toBeInTheDocument()
})
