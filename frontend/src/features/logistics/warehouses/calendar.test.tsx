import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeAll, expect, it } from 'vitest'
import type { DaysOff } from '~/api/schema'
import { marksOf } from '~/features/logistics/shared/calendar/days-off'
import { renderApp } from '~/test/render'
import { db } from '~/test/server'
import { stretchTimeouts } from '~/test/timers'

const YEAR = new Date().getFullYear()
const PAGE = '/warehouses/1/calendar'
const words = { rest: 'frei', holiday: (holiday: string) => holiday, closed: (name: string) => `zu: ${name}` }
const WEEK = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const
// a search by label or by the role of buttons checks each of 365 days, and would be slow on the whole page
const day = (date: RegExp) => screen.findByTitle(date)
const field = async (name: string) => within(await screen.findByRole('dialog')).findByLabelText(name)
const press = async (user: UserEvent, name: string) => user.click(await screen.findByText(name, { selector: 'button' }))
const list = async () => within(await screen.findByRole('table', { name: `Feiertage und Schließtage ${YEAR}` }))

// loads the lazy dialog in advance
beforeAll(() => import('~/features/logistics/shared/calendar/closure-dialog'))

it('marks a day by closure, then by holiday, then by weekday, and names all reasons', () => {
  const closure = { id: 1, tenant_id: 1, name: 'Inventur', warehouse_id: null, version: 1, created_at: '', updated_at: '' }
  const days: DaysOff = {
    region: 'DE-NW',
    working_week: [...WEEK],
    public_holidays: [
      { date: '2026-12-25', holiday: 'christmas_day' },
      { date: '2026-12-26', holiday: 'second_christmas_day' },
    ],
    closures: [
      { ...closure, date: '2026-12-26' },
      { ...closure, date: '2026-12-28' },
    ],
  }
  const marks = marksOf(2026, days, words)
  expect(marks.get('2026-12-24')).toBeUndefined()
  expect(marks.get('2026-12-25')).toEqual({ tone: 'holiday', text: 'christmas_day' })
  expect(marks.get('2026-12-26')).toEqual({ tone: 'closed', text: 'zu: Inventur, second_christmas_day, frei' })
  expect(marks.get('2026-12-27')).toEqual({ tone: 'rest', text: 'frei' })
  expect(marks.get('2026-12-28')).toEqual({ tone: 'closed', text: 'zu: Inventur' })
  expect([...marks.keys()].every((date) => date.startsWith('2026-'))).toBe(true)
})

it('closes a selected day, shows it, and undoes it', async () => {
  stretchTimeouts(4000, 60_000)
  const { user } = renderApp(PAGE, 'tenantAdmin')
  await user.click(await day(new RegExp(`24\\. Dezember ${YEAR}, geschlossen: Heiligabend`)))
  expect(await field('Tag *')).toHaveValue(`24.12.${YEAR}`)
  expect(await field('Tag *')).toHaveAccessibleDescription(/^Bisher: geschlossen: Heiligabend/)
  await user.clear(await field('Tag *'))
  await user.type(await field('Tag *'), '31.02.')
  await user.type(await field('Bezeichnung *'), 'Inventur')
  await press(user, 'Eintragen')
  expect(await field('Tag *')).toHaveAccessibleDescription(/Kein gültiges Datum/)
  await user.clear(await field('Tag *'))
  await user.type(await field('Tag *'), `24.12.${YEAR}`)
  await press(user, 'Eintragen')
  expect(await (await list()).findByText('Inventur')).toBeInTheDocument()
  expect(db.closures.at(-1)).toMatchObject({ date: `${YEAR}-12-24`, name: 'Inventur', warehouse_id: 1 })
  await press(user, 'Rückgängig')
  await waitFor(async () => expect((await list()).queryByText('Inventur')).not.toBeInTheDocument())
  expect(db.closures.map(({ name }) => name)).toEqual(['Heiligabend'])
})

it('shows at the field why a day cannot be closed, and keeps the input', async () => {
  const { user } = renderApp(PAGE, 'tenantAdmin')
  await user.click(await day(new RegExp(`24\\. Dezember ${YEAR}`)))
  await user.type(await field('Bezeichnung *'), 'Inventur')
  await user.selectOptions(await field('Gültig für *'), 'Alle Lager')
  await press(user, 'Eintragen')
  await waitFor(async () => expect(await field('Tag *')).toHaveAccessibleDescription('Bereits vergeben'))
  expect(await field('Bezeichnung *')).toHaveValue('Inventur')
})

it('reopens a day without confirmation, offers an undo, and focuses the button that adds one', async () => {
  const { user } = renderApp(PAGE, 'tenantAdmin')
  await user.click(await (await list()).findByLabelText(/„Heiligabend“ am .* entfernen/))
  await waitFor(() => expect(db.closures).toEqual([]))
  expect(screen.getByText('Schließtag eintragen')).toHaveFocus()
  await press(user, 'Rückgängig')
  await waitFor(() => expect(db.closures).toEqual([expect.objectContaining({ name: 'Heiligabend', warehouse_id: null })]))
})

it('is navigated by keyboard, as one tab stop', async () => {
  const { user, search } = renderApp(`${PAGE}?year=2021`, 'tenantAdmin')
  const first = await day(/ 1\. Januar 2021/)
  expect([...document.querySelectorAll('[data-day][tabindex="0"]')]).toEqual([first])
  first.focus()
  await user.keyboard('{ArrowLeft}')
  expect(first).toHaveFocus()
  await user.keyboard('{ArrowDown}{ArrowRight}{PageDown}{End}')
  expect(await day(/14\. Februar 2021/)).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(await field('Tag *')).toHaveValue('14.02.2021')
  await user.keyboard('{Escape}')
  await user.click(screen.getByLabelText('Vorheriges Jahr'))
  await waitFor(() => expect(search()).toBe('?year=2020'))
})

it('is a read-only table for users who may not change it', async () => {
  renderApp(`${PAGE}?year=2026`, 'staff')
  expect((await day(/25\. Dezember 2026/)).closest('td')).toHaveTextContent('25, 1. Weihnachtstag')
  expect(document.querySelector('button[data-day]')).toBeNull()
  expect(screen.queryByText('Schließtag eintragen')).not.toBeInTheDocument()
})
