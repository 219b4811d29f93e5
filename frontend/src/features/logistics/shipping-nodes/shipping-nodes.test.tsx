import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { itKeepsRules } from '~/test/rules'
import { db } from '~/test/server'
import { shippingNodeSchema, toForm } from './schema'

describe('the rules of the server', () => {
  itKeepsRules('shipping_node.json', shippingNodeSchema, (input) => ({ ...toForm(null), ...input, warehouse_id: null }), ['not_printable'])
})

it('lists nodes with their legs, and links to the other views of the network', async () => {
  renderApp('/shippingNodes')
  const row = (await screen.findByRole('link', { name: 'Nürnberg' })).closest('tr') as HTMLElement
  expect(
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(expect.arrayContaining(['1', '0', 'Aktiv']))
  const views = within(screen.getByRole('navigation', { name: 'Ansichten des Streckennetzes' }))
  expect(views.getByRole('link', { name: 'Versandknoten' })).toHaveAttribute('aria-current', 'page')
  expect(views.getByRole('link', { name: 'Strecken' })).toHaveAttribute('href', '/shippingNodes/legs')
  expect(views.getByRole('link', { name: 'Netzprüfung' })).toHaveAttribute('href', '/shippingNodes/findings')
})

it('accepts a pair of coordinates that is pasted or typed into either field', async () => {
  const { user, path } = renderApp('/shippingNodes/new')
  const form = within(await screen.findByRole('dialog'))
  await user.type(form.getByLabelText('Name *'), 'Depot Linz')
  const [latitude, longitude] = [form.getByLabelText('Breitengrad'), form.getByLabelText('Längengrad')]
  fireEvent.paste(longitude, { clipboardData: { getData: () => '51.4344, 6.7623' } })
  expect([latitude, longitude].map((field) => (field as HTMLInputElement).value)).toEqual(['51,4344', '6,7623'])
  await user.clear(longitude)
  await user.clear(latitude)
  await user.type(latitude, '48,3069; 14,2858')
  await user.tab()
  expect([latitude, longitude].map((field) => (field as HTMLInputElement).value)).toEqual(['48,3069', '14,2858'])
  await user.click(form.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(path()).toBe('/shippingNodes'))
  expect(db.shippingNodes.at(-1)).toMatchObject({ name: 'Depot Linz', latitude: '48.3069', longitude: '14.2858', active: true })
})

it('requires the other coordinate if one is missing', async () => {
  const { user } = renderApp('/shippingNodes/1')
  const longitude = await screen.findByLabelText('Längengrad')
  await user.clear(longitude)
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  expect(longitude).toHaveAccessibleDescription(/Breite und Länge gehören zusammen/)
  expect(db.shippingNodes[0]).toMatchObject({ longitude: '6.7623' })
})

it('shows outgoing legs with their phases and departures', async () => {
  renderApp('/shippingNodes/1/outgoing')
  expect(await screen.findByRole('heading', { name: 'Duisburg → Nürnberg' })).toBeInTheDocument()
  expect(screen.getByRole('list', { name: 'Dauer der Strecke' })).toHaveTextContent(
    /Bereitstellung 1h.*Beladung 30m.*Fahrt 5h30m.*Entladung 45m.*Zusammen 7h45m/,
  )
  const times = within(screen.getByRole('table', { name: 'Abfahrten Duisburg → Nürnberg' }))
  expect(times.getAllByRole('row')[1]).toHaveTextContent('Di, Fr06:0004:3012:15')
  expect(screen.getByRole('link', { name: 'Neue Strecke' })).toHaveAttribute('href', '/shippingNodes/legs/new?f.node_id=1&sender=1')
})

it('is read-only for users of a tenant', async () => {
  renderApp('/shippingNodes/1/outgoing', 'tenantAdmin')
  expect(await screen.findByRole('heading', { name: 'Duisburg → Nürnberg' })).toBeInTheDocument()
  expect(screen.queryByRole('link', { name: 'Neue Strecke' })).not.toBeInTheDocument()
})

it('closes a day of a node and undoes it', async () => {
  const year = new Date().getFullYear()
  const { user } = renderApp('/shippingNodes/2/calendar')
  await user.click(await screen.findByTitle(new RegExp(`24\\. Dezember ${year}`)))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.queryByLabelText(/Gültig für/)).not.toBeInTheDocument()
  await user.type(dialog.getByLabelText('Bezeichnung *'), 'Inventur')
  await user.click(dialog.getByRole('button', { name: 'Eintragen' }))
  await waitFor(() => expect(db.shippingNodeClosures).toEqual([expect.objectContaining({ shipping_node_id: 2, name: 'Inventur' })]))
  await user.click(await screen.findByText('Rückgängig', { selector: 'button' }))
  await waitFor(() => expect(db.shippingNodeClosures).toEqual([]))
})

describe('network check', () => {
  const nothing = { node: null, leg: null, other_leg: null, departure: null, hours: null, country: null }

  it('links each finding to the page where it can be fixed', async () => {
    db.shippingFindings.push(
      { ...nothing, type: 'unreachable_node', node: { id: 3, name: 'Linz' } },
      {
        ...nothing,
        type: 'long_transfer',
        leg: { id: 1, name: 'Duisburg → Nürnberg' },
        other_leg: { id: 2, name: 'Nürnberg → Linz' },
        hours: 63,
      },
      { ...nothing, type: 'coordinates_elsewhere', node: { id: 3, name: 'Linz' }, country: 'AT' },
      {
        ...nothing,
        type: 'unreachable_departure',
        leg: { id: 1, name: 'Duisburg → Nürnberg' },
        departure: { weekday: 'sunday', time: '06:00' },
      },
    )
    renderApp('/shippingNodes/findings')
    const transfer = within(await screen.findByRole('table', { name: 'Lange Wartezeiten beim Umladen (1)' }))
    expect(transfer.getByRole('link', { name: 'Nürnberg → Linz' })).toHaveAttribute('href', '/shippingNodes/legs/2')
    expect(transfer.getByText(/mindestens 63 Stunden/)).toBeInTheDocument()
    const node = within(screen.getByRole('table', { name: 'Nicht erreichbare Versandknoten (1)' }))
    expect(node.getByRole('link', { name: 'Linz' })).toHaveAttribute('href', '/shippingNodes/3')
    expect(screen.getByText(/Die Adresse liegt in Österreich/)).toBeInTheDocument()
    expect(screen.getByText(/^So 06:00 fährt innerhalb eines Jahres nie/)).toBeInTheDocument()
  })

  it('shows a message if there are none', async () => {
    renderApp('/shippingNodes/findings')
    expect(await screen.findByText('Keine Auffälligkeiten')).toBeInTheDocument()
  })
})
