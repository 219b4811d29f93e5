import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { queryClient } from '~/api/query'
import { renderApp } from '~/test/render'
import { itKeepsRules } from '~/test/rules'
import { db, mockAnswer, requests } from '~/test/server'
import { tenants } from './api'
import { tenantSchema, toForm } from './schema'

describe('the rules of the server', () => {
  itKeepsRules('tenant.json', tenantSchema, (input) => ({ ...toForm(null), ...input }), ['not_printable'])
})

const box = (name: string) => screen.findByRole('checkbox', { name })

it('lists tenants with their groups', async () => {
  renderApp('/tenants')
  expect(await screen.findByRole('row', { name: /Nordstahl Handels GmbH.*NORD.*Einkaufsverbund Nord.*1/ })).toBeInTheDocument()
})

it('creates a tenant, and shows errors at their fields', async () => {
  const { user, path } = renderApp('/tenants/new')
  const enter = async (label: string, text: string) => {
    await user.clear(await screen.findByLabelText(label))
    await user.click(screen.getByLabelText(label))
    // pasting renders the table below once instead of after each letter
    await user.paste(text)
  }
  await enter('Firma *', 'Westblech KG')
  await enter('Kurzzeichen *', 'WÉST')
  await enter('E-Mail', 'einkauf@westblech')
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  expect(await screen.findByText('Erlaubt sind nur A–Z, a–z, 0–9 und die Zeichen - _ . ,')).toBeInTheDocument()
  expect(screen.getByText('Keine gültige E-Mail-Adresse')).toBeInTheDocument()
  await enter('Kurzzeichen *', 'WEST')
  await enter('E-Mail', 'einkauf@westblech.example')
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(path()).toBe('/tenants'))
  expect(db.tenants.at(-1)).toMatchObject({ company: 'Westblech KG', email: 'einkauf@westblech.example', phone: null, permissions: [] })
})

it('shows a short name in the list and in the choice of a tenant, and leaves it empty if it is the company', async () => {
  Object.assign(db.tenants[1] ?? {}, { name: 'Südrohr' })
  const { user, path } = renderApp('/tenants/1')
  expect(await screen.findByLabelText('Kurzname')).toHaveValue('')
  await user.type(screen.getByLabelText('Kurzname'), 'Nord')
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(path()).toBe('/tenants'))
  expect(db.tenants[0]).toMatchObject({ company: 'Nordstahl Handels GmbH', name: 'Nord' })
  expect(await screen.findByRole('row', { name: /Südrohr AG.*Südrohr/ })).toBeInTheDocument()
  await user.type(screen.getByLabelText('Mandant wählen:'), 'Süd')
  expect(await screen.findByRole('option', { name: 'Südrohr (Südrohr AG)' })).toBeInTheDocument()
})

it('lets a ceiling grow but not shrink, and previews the permissions that users gain', async () => {
  const { user, path } = renderApp('/tenants/2')
  expect(await screen.findByText(/lassen sich einem Mandanten nicht mehr entziehen/)).toBeInTheDocument()
  expect(await box('Artikel: Auflisten')).toBeDisabled()
  expect((await box('Artikel: Auflisten')).closest('[title]')).toHaveAttribute('title', 'Der Mandant hat dieses Recht schon')
  const viewing = { name: 'article.view', user_count: 3 } as const
  const changing = { name: 'article.update', user_count: 0 } as const
  mockAnswer('/api/admin/tenants/{id}/effect', { user_count: 12, gaining_count: 3, permissions: [viewing, changing] })
  await user.click(await box('Artikel: Ändern'))
  const effect = await screen.findByText('2 neue Rechte')
  const alert = within(effect.closest('[role=alert]') as HTMLElement)
  expect(alert.getByText(/3 von 12 Benutzern/)).toBeInTheDocument()
  expect(alert.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['Artikel: Ansehen (3 Benutzer)', 'Artikel: Ändern'])
  // an added permission can be removed until it is saved
  mockAnswer('/api/admin/tenants/{id}/effect', { user_count: 12, gaining_count: 3, permissions: [viewing] })
  await user.click(await box('Artikel: Ändern'))
  expect(await screen.findByText('1 neues Recht')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  // asks again, because it cannot be undone
  const question = within(await screen.findByRole('alertdialog', { name: 'Maximale Rechte von „Südrohr AG“ erweitern?' }))
  expect(question.getByText(/lassen sich einem Mandanten nicht mehr entziehen/)).toBeInTheDocument()
  expect(await question.findByText('Artikel: Ansehen (3 Benutzer)')).toBeInTheDocument()
  await user.click(question.getByRole('button', { name: 'Abbrechen' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
  expect(path()).toBe('/tenants/2')
  expect(requests.filter((request) => request.startsWith('PUT'))).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  await user.click(await screen.findByRole('button', { name: 'Endgültig erweitern' }))
  await waitFor(() => expect(path()).toBe('/tenants'))
  expect(db.tenants[1]?.permissions).toEqual(['access-admin', 'article.list', 'article.view'])
})

it('requires the retyped company before it deletes', async () => {
  const { user } = renderApp('/tenants')
  await user.click(await screen.findByRole('button', { name: 'Aktionen für Südrohr AG' }))
  await user.click(screen.getByRole('menuitem', { name: 'Löschen' }))
  const retyped = await screen.findByLabelText(/Geben Sie zur Bestätigung/)
  await user.type(retyped, 'Südrohr')
  expect(screen.getByRole('button', { name: 'Löschen' })).toBeDisabled()
  await user.type(retyped, ' AG')
  await user.click(screen.getByRole('button', { name: 'Löschen' }))
  await waitFor(() => expect(db.tenants).toHaveLength(1))
})

it('shows a cached tenant when the user switches from another one', async () => {
  const { router } = renderApp('/tenants/2')
  expect(await screen.findByLabelText('Firma *')).toBeInTheDocument()
  // caches the tenant, as a field that names it would
  await queryClient.fetchQuery(tenants.one(1))
  await act(() => router.navigate('/tenants/1'))
  expect(await screen.findByDisplayValue('Nordstahl Handels GmbH')).toBeInTheDocument()
})
