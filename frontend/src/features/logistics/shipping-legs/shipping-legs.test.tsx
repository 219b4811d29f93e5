import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { DepartureException } from '~/api/schema'
import { renderApp } from '~/test/render'
import { itKeepsRules } from '~/test/rules'
import { db } from '~/test/server'
import { PHASES } from './departure-times'
import { shippingLegSchema, toForm } from './schema'

describe('the rules of the server', () => {
  const form = ({ exceptions, ...input }: Record<string, unknown>) => ({
    ...toForm(null),
    ...input,
    ...Object.fromEntries(PHASES.map((phase) => [phase, String(input[phase])])),
    exceptions: (exceptions as DepartureException[]).map((one) => ({ ...one, time: one.time ?? '' })),
  })
  itKeepsRules('shipping_leg.json', shippingLegSchema, form, [])
})

const pick = async (user: UserEvent, field: HTMLElement, name: string) => {
  await user.type(field, name)
  await user.click(await screen.findByRole('option', { name }))
}

it('creates both directions from the input, and skips an existing one', async () => {
  const { user, path } = renderApp('/shippingNodes/legs/new?f.node_id=2&sender=2')
  const form = within(await screen.findByRole('dialog'))
  await waitFor(() => expect(form.getByLabelText(/^Absender/)).toHaveValue('Nürnberg'))
  await pick(user, form.getByLabelText(/^Empfänger/), 'Duisburg')
  await user.click(form.getByLabelText('Beide Richtungen anlegen'))
  const directions = within(await form.findByRole('list', { name: 'Strecken, die angelegt werden' }))
  await waitFor(() =>
    expect(directions.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'NürnbergDuisburg: wird angelegt',
      'DuisburgNürnberg: besteht schon und bleibt unverändert',
    ]),
  )
  await user.type(form.getByLabelText('Fahrt *'), '5,5h')
  await user.type(form.getByLabelText('Schnelleingabe'), 'Mo-Fr 6, 14:30{Enter}')
  expect(form.getByLabelText('Montag')).toHaveValue('06:00, 14:30')
  expect(form.getByText('10 Abfahrten je Woche')).toBeInTheDocument()
  await user.click(form.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(path()).toBe('/shippingNodes/legs'))
  expect(db.shippingLegs).toHaveLength(2)
  expect(db.shippingLegs.at(-1)).toMatchObject({ name: 'Nürnberg → Duisburg', travel_duration: 330, departures_per_week: 10 })
  const message = (await screen.findByText(/^Strecke angelegt:/)).closest('[role=status]') as HTMLElement
  expect(within(message).getByRole('link', { name: 'Nürnberg → Duisburg' })).toHaveAttribute('href', '/shippingNodes/legs/2')
})

it('names and links both legs if both were created', async () => {
  const { user } = renderApp('/shippingNodes/legs/new?sender=2')
  const form = within(await screen.findByRole('dialog'))
  await waitFor(() => expect(form.getByLabelText(/^Absender/)).toHaveValue('Nürnberg'))
  await pick(user, form.getByLabelText(/^Empfänger/), 'Linz')
  await user.click(form.getByLabelText('Beide Richtungen anlegen'))
  await user.type(form.getByLabelText('Fahrt *'), '5h')
  await user.click(form.getByRole('button', { name: 'Speichern' }))
  const message = (await screen.findByText(/^2 Strecken angelegt:/)).closest('[role=status]') as HTMLElement
  const links = within(message).getAllByRole('link')
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Nürnberg → Linz', '/shippingNodes/legs/2'],
    ['Linz → Nürnberg', '/shippingNodes/legs/3'],
  ])
})

it('reports an existing leg at the receiver, and missing fields of a departure', async () => {
  const { user } = renderApp('/shippingNodes/legs/new?sender=1')
  const form = within(await screen.findByRole('dialog'))
  await pick(user, form.getByLabelText(/^Empfänger/), 'Nürnberg')
  expect(await form.findByRole('link', { name: 'besteht schon und bleibt unverändert' })).toHaveAttribute('href', '/shippingNodes/legs/1')
  await user.type(form.getByLabelText('Fahrt *'), '5h')
  const quick = form.getByLabelText('Schnelleingabe')
  await user.type(quick, 'Mo-Fr 25:00{Enter}')
  expect(quick).toHaveAccessibleDescription(/„25:00“ ist weder Wochentag noch Uhrzeit/)
  await user.clear(quick)
  const tuesday = form.getByLabelText('Dienstag')
  await user.type(tuesday, '25:00')
  await user.click(form.getByRole('button', { name: 'Speichern' }))
  expect(tuesday).toHaveAccessibleDescription(/HH:mm/)
  await user.clear(tuesday)
  await user.type(tuesday, '930 6:00 6:00')
  await user.tab()
  expect(tuesday).toHaveValue('06:00, 09:30')
  await user.click(form.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(form.getByLabelText(/^Empfänger/)).toHaveAccessibleDescription('Bereits vergeben'))
})

it('derives order and arrival as departures are typed, and copies a day to others', async () => {
  const { user } = renderApp('/shippingNodes/legs/1')
  const times = async () => within(await screen.findByRole('table', { name: 'Bestellschluss und Ankunft der Abfahrten' }))
  expect((await times()).getAllByRole('row')[1]).toHaveTextContent('Di, Fr06:0004:3012:15')
  expect(screen.getByRole('link', { name: 'Nürnberg' })).toHaveAttribute('href', '/shippingNodes/2')
  await user.click(screen.getByRole('button', { name: 'Aktionen für Dienstag' }))
  await user.click(screen.getByRole('menuitem', { name: 'Auf Montag bis Freitag übertragen' }))
  await user.type(screen.getByLabelText('Bestellschluss'), '1600')
  await user.tab()
  expect((await times()).getAllByRole('row')[1]).toHaveTextContent('Mo–Fr06:0016:00 am Vortag12:15')
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(db.shippingLegs[0]).toMatchObject({ order_time: '16:00', departures_per_week: 5, version: 2 }))
})

it('saves exceptions of single dates', async () => {
  const { user } = renderApp('/shippingNodes/legs/1')
  const exceptions = within(await screen.findByRole('group', { name: 'Ausnahmen' }))
  await user.click(exceptions.getByRole('button', { name: 'Hinzufügen' }))
  const row = within(exceptions.getByRole('group', { name: 'Ausnahme 1' }))
  await user.type(row.getByLabelText('Datum *'), '24.12.2026')
  await user.selectOptions(row.getByLabelText('Art *'), 'zusätzlich')
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  expect(row.getByLabelText('Uhrzeit *')).toHaveAccessibleDescription(/Pflichtfeld/)
  await user.type(row.getByLabelText('Uhrzeit *'), '5:15')
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(db.shippingLegs[0]?.exceptions).toEqual([{ date: '2026-12-24', time: '05:15', type: 'added' }]))
})

it('explains why one of the next departures does not run', async () => {
  renderApp('/shippingNodes/legs/1')
  const next = within(await screen.findByRole('table', { name: 'Nächste Abfahrten' }))
  expect(next.getByText('Entfällt: 1. Weihnachtstag (Nordrhein-Westfalen)')).toBeInTheDocument()
})
