import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { itKeepsRules } from '~/test/rules'
import { db, requests } from '~/test/server'
import { matchingSchema, toForm } from './schema'

describe('the rules of the server', () => {
  /**
   * Converts an input of the server to the form, which has ids: a number stands for the record that has it.
   */
  const form = ({ article_number, warehouse_short_code, ...input }: Record<string, unknown>) => ({
    ...toForm(null),
    ...(String(article_number ?? '').trim() && { article_id: 1 }),
    ...(warehouse_short_code !== undefined && { warehouse_id: 1 }),
    ...input,
  })
  itKeepsRules('matching.json', matchingSchema, form, [
    'unknown_reference',
    'references_disagree',
    'external_warehouse_differs',
    'not_printable',
  ])
})

it('shows external numbers of articles and warehouses once a tenant is chosen', async () => {
  const { unmount } = renderApp('/matchings')
  expect(await screen.findByRole('heading', { level: 1, name: 'Mandant wählen' })).toBeInTheDocument()
  expect(requests.filter((request) => request.includes('/api/admin/matchings'))).toEqual([])
  unmount()
  renderApp('/matchings', 'tenantAdmin')
  const row = async (identifier: string) => within((await screen.findByRole('link', { name: identifier })).closest('tr') as HTMLElement)
  expect((await row('0004711')).getByText('Artikel')).toBeInTheDocument()
  expect((await row('LG-3')).getByText('Lager')).toBeInTheDocument()
})

it('finds an article by its designation, keeps leading zeros and requires complete pairs', async () => {
  const { user, path } = renderApp('/matchings/new', 'tenantAdmin')
  const form = within(await screen.findByRole('dialog'))
  const number = form.getByLabelText('Externe Artikelnummer')
  await user.type(number, '0815')
  await user.click(form.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(form.getByLabelText('Artikel')).toHaveAccessibleDescription(/Pflichtfeld/))
  await user.type(form.getByLabelText('Artikel'), 'HEB')
  await user.click((await screen.findAllByRole('option'))[0] as HTMLElement)
  await user.click(form.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(path()).toBe('/matchings'))
  expect(db.matchings.at(-1)).toMatchObject({ external_article_number: '0815', article_number: null, article: expect.anything() })
})
