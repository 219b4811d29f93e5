import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { itKeepsRules } from '~/test/rules'
import { db } from '~/test/server'
import { toForm, warehouseSchema } from './schema'

describe('the rules of the server', () => {
  const form = ({ preparation_duration_before, ...input }: Record<string, unknown>) => ({
    ...toForm(null),
    ...input,
    preparation_duration_before: String(preparation_duration_before),
  })
  itKeepsRules('warehouse.json', warehouseSchema, form, ['not_printable'])
})

it('asks only platform users for a tenant', async () => {
  const { unmount } = renderApp('/warehouses')
  expect(await screen.findByRole('heading', { level: 1, name: 'Mandant wählen' })).toBeInTheDocument()
  unmount()
  renderApp('/warehouses', 'tenantAdmin')
  expect(await screen.findByRole('link', { name: 'Lager Duisburg' })).toBeInTheDocument()
})

it('reads times in common notations, and shows the result', async () => {
  const { user, path } = renderApp('/warehouses/new', 'tenantAdmin')
  const form = within(await screen.findByRole('dialog'))
  await user.type(form.getByLabelText('Name *'), 'Lager Bremen')
  await user.type(form.getByLabelText('Kurzzeichen *'), 'HB')
  const cutOff = form.getByLabelText('Bestellschluss')
  await user.type(cutOff, '9 Uhr')
  await user.tab()
  expect(cutOff).toHaveValue('9 Uhr')
  expect(cutOff).toHaveAccessibleDescription(/HH:mm/)
  await user.clear(cutOff)
  await user.type(cutOff, '930')
  const takes = form.getByLabelText('Vorbereitungsdauer *')
  await user.type(takes, '1,5h')
  await user.tab()
  expect(cutOff).toHaveValue('09:30')
  expect(takes).toHaveValue('1h30m')
  await user.click(form.getByRole('button', { name: 'Speichern' }))
  // the page of a warehouse shows when an order is ready
  await waitFor(() => expect(path()).toMatch(/^\/warehouses\/\d+$/))
  expect(db.warehouses.at(-1)).toMatchObject({
    short_code: 'HB',
    preparation_shift_time: '09:30',
    preparation_duration_before: 90,
    region: null,
  })
})
