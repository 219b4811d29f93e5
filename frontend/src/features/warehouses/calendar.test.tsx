import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { DaysOff } from '~/api/schema'
import { renderApp } from '~/test/render'
import { db } from '~/test/server'
import { marksOf } from './days-off'

const YEAR = new Date().getFullYear()
const PAGE = '/warehouses/1/calendar'
const words = { rest: 'frei', holiday: (holiday: string) => holiday, closed: (name: string) => `zu: ${name}` }
const WEEK = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const
// by role would be slow among so many
const day = (date: RegExp) => screen.findByTitle(date)
const list = async () => within(await screen.findByRole('table', { name: `Feiertage und Schließtage ${YEAR}` }))

it('marks a day by what was chosen, then by law, then by the week, and tells all its reasons', () => {
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

it('closes a picked day, shows it, and takes it back', async () => {
  const { user } = renderApp(PAGE, 'tenantAdmin')
  await user.click(await day(new RegExp(`24\\.12\\.${YEAR}, geschlossen: Heiligabend`)))
  const dialog = within(await screen.findByRole('dialog', { name: 'Schließtag eintragen' }))
  expect(dialog.getByLabelText('Tag *')).toHaveValue(`${YEAR}-12-24`)
  expect(dialog.getByLabelText('Tag *')).toHaveAccessibleDescription(/^Bisher: geschlossen: Heiligabend/)
  await user.type(dialog.getByLabelText('Bezeichnung *'), 'Inventur')
  await user.click(dialog.getByRole('button', { name: 'Eintragen' }))
  expect(await (await list()).findByText('Inventur')).toBeInTheDocument()
  expect(db.closures.at(-1)).toMatchObject({ date: `${YEAR}-12-24`, name: 'Inventur', warehouse_id: 1 })
  await user.click(await screen.findByRole('button', { name: 'Rückgängig' }))
  await waitFor(async () => expect((await list()).queryByText('Inventur')).not.toBeInTheDocument())
  expect(db.closures.map(({ name }) => name)).toEqual(['Heiligabend'])
})

it('says at the field why a day cannot be closed, and keeps what was typed', async () => {
  const { user } = renderApp(PAGE, 'tenantAdmin')
  await user.click(await day(new RegExp(`24\\.12\\.${YEAR}`)))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Bezeichnung *'), 'Inventur')
  await user.selectOptions(dialog.getByLabelText('Gilt für *'), 'Alle Lager')
  await user.click(dialog.getByRole('button', { name: 'Eintragen' }))
  await waitFor(() => expect(dialog.getByLabelText('Tag *')).toHaveAccessibleDescription('Bereits vergeben'))
  expect(dialog.getByLabelText('Bezeichnung *')).toHaveValue('Inventur')
})

it('opens a day again without a question, as that can be taken back, and leaves the focus where one can go on', async () => {
  const { user } = renderApp(PAGE, 'tenantAdmin')
  await user.click(await (await list()).findByRole('button', { name: /„Heiligabend“ am .* entfernen/ }))
  await waitFor(() => expect(db.closures).toEqual([]))
  expect(screen.getByRole('button', { name: 'Schließtag eintragen' })).toHaveFocus()
  await user.click(await screen.findByRole('button', { name: 'Rückgängig' }))
  await waitFor(() => expect(db.closures).toEqual([expect.objectContaining({ name: 'Heiligabend', warehouse_id: null })]))
})

it('is walked through by keys, one stop for Tab', async () => {
  const { user, search } = renderApp(`${PAGE}?year=2027`, 'tenantAdmin')
  const first = await day(/01\.01\.2027/)
  expect([...document.querySelectorAll('[data-day][tabindex="0"]')]).toEqual([first])
  first.focus()
  await user.keyboard('{ArrowLeft}')
  expect(first).toHaveFocus()
  await user.keyboard('{ArrowDown}{ArrowRight}{PageDown}{End}')
  expect(await day(/14\.02\.2027/)).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(within(await screen.findByRole('dialog')).getByLabelText('Tag *')).toHaveValue('2027-02-14')
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Vorheriges Jahr' }))
  await waitFor(() => expect(search()).toBe('?year=2026'))
})

it('is a table to read for who may not change it', async () => {
  renderApp(`${PAGE}?year=2026`, 'staff')
  const december = within(await screen.findByRole('table', { name: /Dezember 2026/ }))
  expect(december.getByRole('cell', { name: /^25, 1\. Weihnachtstag$/ })).toBeInTheDocument()
  expect(december.queryByRole('button')).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Schließtag eintragen' })).not.toBeInTheDocument()
})
