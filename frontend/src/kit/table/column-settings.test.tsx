import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { readJson } from '~/lib/storage'
import { renderApp } from '~/test/render'
import { db } from '~/test/server'

const heads = () => screen.getAllByRole('columnheader', { hidden: true }).map((head) => head.textContent)
const storedWidths = () => readJson<{ widths: Record<string, number> }>('table:processings', { widths: {} }).widths

it('changes order and width of columns by keyboard, and stores both in a view', async () => {
  const { user } = renderApp('/processings')
  await user.click(await screen.findByRole('button', { name: 'Spalten und Zeilenhöhe' }))
  const settings = within(await screen.findByRole('dialog', { name: 'Spalten und Zeilenhöhe' }))
  const act = async (name: string) => {
    await user.click(await settings.findByRole('button', { name: 'Aktionen für Anzeigename' }))
    await user.click(await screen.findByRole('menuitem', { name }))
  }
  const before = heads()
  await act('Ganz nach unten')
  await waitFor(() => expect(heads().indexOf('Anzeigename')).toBeGreaterThan(before.indexOf('Anzeigename')))
  await act('Breiter')
  await waitFor(() => expect(storedWidths()).toHaveProperty('display_name'))
  await user.click(settings.getByRole('checkbox', { name: 'Spalte „Anzeigename“ anzeigen' }))
  await waitFor(() => expect(heads()).not.toContain('Anzeigename'))
  await user.click(settings.getByRole('checkbox', { name: 'Spalte „Anzeigename“ anzeigen' }))
  await user.keyboard('{Escape}')

  await user.click(await screen.findByRole('button', { name: 'Ansichten' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Als neue Ansicht speichern …' }))
  await user.type(await screen.findByLabelText('Name der Ansicht'), 'Breit{Enter}')
  await waitFor(() => expect(db.views[0]?.state.columns.at(-1)).toBe(`display_name:${storedWidths().display_name}`))
})

it('opens a row on click, but not on the second click of a double click', async () => {
  const { path } = renderApp('/processings')
  const row = (await screen.findAllByRole('rowheader'))[0]?.closest('tr') as HTMLElement
  const cell = row.querySelector('td:nth-of-type(2)') as HTMLElement
  fireEvent.click(cell, { detail: 2 })
  fireEvent.click(within(row).getByRole('link'), { detail: 2 })
  expect(path()).toBe('/processings')
  fireEvent.click(cell, { detail: 1 })
  await waitFor(() => expect(path()).toMatch(/^\/processings\/\d+$/))
})

it('sets a column width by dragging, and resets it on double click', async () => {
  renderApp('/processings')
  const head = await screen.findByRole('columnheader', { name: /Anzeigename/ })
  const handle = head.querySelector('[data-resize]') as HTMLElement
  handle.setPointerCapture = () => {}
  fireEvent.pointerDown(handle, { clientX: 100 })
  fireEvent.pointerMove(handle, { clientX: 300 })
  fireEvent.pointerUp(handle, { clientX: 300 })
  expect(storedWidths()).toEqual({ display_name: 200 })
  fireEvent.doubleClick(handle)
  expect(storedWidths()).toEqual({})
})
