import { screen, waitFor } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { expect, it } from 'vitest'
import type { PriceAdjustment } from '~/api/schema'
import { http } from '~/mocks/server'
import { priceAdjustmentRow } from '~/test/fixtures/price-adjustment-row'
import { renderApp } from '~/test/render'
import { db, server } from '~/test/server'

const company = (id: number, name: string) => ({ id, short_code: `T${id}`, company: name })
const group = (id: number, name: string) => ({ id, name })
const item = (records: object): PriceAdjustment['apply_to'] =>
  ({ kind: 'item', articles: [], article_types: [], categories: [], materials: [], ...records }) as PriceAdjustment['apply_to']

async function show(part: Partial<PriceAdjustment>) {
  server.use(
    http.get('/api/admin/price-adjustments', () =>
      HttpResponse.json({
        data: [priceAdjustmentRow(part)],
        meta: { current_page: 1, last_page: 1, per_page: 200, total: 1 },
      }),
    ),
  )
  renderApp('/price-adjustments?tenantId=1')
  const row = await screen.findByRole('row', { name: /Energiezuschlag/ })
  expect(screen.getByRole('columnheader', { name: 'Wofür, für wen, wann' })).toBeInTheDocument()
  return row
}

const customers = { tenants: [company(5, 'Müller GmbH')], tenant_groups: [group(8, 'Stammkunden')] }
const saturday: PriceAdjustment['conditions'] = { type: 'weekday', op: 'in', value: ['saturday', 'sunday'] }

it.each<[string, Partial<PriceAdjustment>, RegExp]>([
  ['all articles', {}, /Alle Artikel, immer/],
  ['all that is done to them', { apply_to: { kind: 'item_type', item_types: ['article', 'processing'] } }, /Artikel, Anarbeitung, immer/],
  ['customers and groups', customers, /Alle ArtikelFür Müller GmbH und Gruppe Stammkunden/],
  [
    'a group without one of its customers',
    { tenant_groups: [group(8, 'Stammkunden')], excluded_tenants: [company(6, 'Meier KG')] },
    /Für Gruppe Stammkunden, außer Meier KG/,
  ],
  ['all but one', { excluded_tenants: [company(6, 'Meier KG')] }, /Alle ArtikelFür alle außer Meier KG/],
  [
    'more customers than are named',
    { tenants: ['A', 'B', 'C', 'D', 'E'].map((name, id) => company(id, name)) },
    /Für A, B, C und 2 weitere/,
  ],
  ['conditions', { conditions: saturday }, /Alle ArtikelWochentag gehört zu Samstag und Sonntag/],
])('shows that an adjustment is limited to %s', async (_, part, expected) => {
  const row = await show(part)
  expect(row).toHaveTextContent(expected)
  if (part.tenants || part.excluded_tenants || part.conditions) expect(row).not.toHaveTextContent(/immer/i)
})

it('names the materials and categories that an adjustment is limited to instead of "always"', async () => {
  const row = await show({ apply_to: item({ materials: [1], categories: [1] }) })
  const [material, category] = [db.materials[0]?.name, db.categories[0]?.name]
  await waitFor(() => expect(row).toHaveTextContent(`Kategorie ${category} oder Werkstoff ${material}`))
  expect(row).not.toHaveTextContent(/immer/i)
})
