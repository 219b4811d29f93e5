import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { itKeepsRules } from '~/test/rules'
import { db, server } from '~/test/server'
import { tenantGroupSchema, toForm } from './schema'

describe('the rules of the server', () => {
  itKeepsRules('tenant_group.json', tenantGroupSchema, (input) => ({ ...toForm(null), ...input, tenant_ids: [] }), ['not_printable'])
})

it('lists groups with their number of tenants, and changes the tenants of one', async () => {
  const { user, path } = renderApp('/tenant-groups')
  await user.click(await screen.findByRole('link', { name: 'Einkaufsverbund Nord' }))
  await user.click(await screen.findByRole('button', { name: 'Nordstahl Handels GmbH Entfernen' }))
  const add = screen.getByLabelText('Mandant hinzufügen')
  expect(add).toHaveFocus()
  expect(screen.getByText('Noch kein Mandant in der Gruppe.')).toBeInTheDocument()
  await user.type(add, 'süd')
  await user.click(await screen.findByRole('option', { name: 'Südrohr AG' }))
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(path()).toBe('/tenant-groups'))
  expect(db.tenantGroups[0]?.tenants).toEqual([{ id: 2, company: 'Südrohr AG' }])
})

it('reports a tenant that no longer exists, and keeps the input', async () => {
  server.use(
    http.put('*/api/admin/tenant-groups/1', () =>
      HttpResponse.json(
        {
          code: 'invalid',
          message: 'Bitte prüfen Sie Ihre Eingaben.',
          errors: { 'tenant_ids.0': ['Unbekannter Wert'] },
          used_by: null,
          request_id: 'x',
        },
        { status: 422 },
      ),
    ),
  )
  const { user } = renderApp('/tenant-groups/1')
  await user.type(await screen.findByLabelText('Beschreibung'), 'x')
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  const remove = screen.getByRole('button', { name: 'Nordstahl Handels GmbH Entfernen' })
  await waitFor(() => expect(remove).toHaveAccessibleDescription('Unbekannter Wert'))
  expect(screen.getByLabelText('Beschreibung')).toHaveValue('x')
})

it('shows the tenants of the record in a conflict, also to users who may not read tenants', async () => {
  server.use(http.get('*/api/admin/tenants/*', () => HttpResponse.json({}, { status: 403 })))
  const { user } = renderApp('/tenant-groups/1')
  await user.type(await screen.findByLabelText('Beschreibung'), 'x')
  Object.assign(db.tenantGroups[0] ?? {}, { version: 9, tenants: [{ id: 7, company: 'Rheinstahl AG' }] })
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  expect(await screen.findByText('Mandanten: Rheinstahl AG')).toBeInTheDocument()
  expect(screen.getByText('Mandanten: Nordstahl Handels GmbH (entfernt)')).toBeInTheDocument()
})
