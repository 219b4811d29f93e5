import type { Page } from '@playwright/test'
import { gallery } from '../src/app/gallery/screen'
import { resources } from '../src/app/resources'
import { externalApisItem } from '../src/features/exchange/external-apis/screen'
import { feedsItem } from '../src/features/exchange/feeds/screen'
import { ftpSettingsItem } from '../src/features/exchange/ftp-settings/screen'
import { deliveryDate } from '../src/features/logistics/delivery-date/screen'
import { operationItem } from '../src/features/operation/screen'
import { conditionsDemo } from '../src/features/pricing/price-adjustments/demo/screen'
import { priceCalculator } from '../src/features/pricing/price-calculator/screen'
import type { Resource } from '../src/kit/records/resource'
import { call } from './call'

/** Further addresses to check, with parameters. */
const MORE = [
  '/imports/new?tenantId=1',
  '/audit?f.record=user&f.record_id=2',
  '/priceLists/timeline?tenantId=1&article=1',
  '/price-calculator?tenantId=1&line=2_3_piece&line=300_1_t',
]

/** Query that chooses a tenant, for users without one. */
export const OF_TENANT = '?tenantId=1'

/**
 * Paths of all pages behind the sign-in page; `:id` stands for the first record of the list, `:deliveryId`
 * for its first delivery.
 */
export const PAGES: readonly string[] = [
  '/home',
  ...(resources as readonly Resource[]).flatMap(({ path, form, page, overlays = {}, pages = {} }) => [
    path,
    ...(form ? [`${path}/new`, `${path}/:id`] : []),
    ...Object.keys(page?.tabs ?? {})
      .slice(1)
      .map((tab) => `${path}/:id/${tab}`),
    ...[...Object.keys(overlays), ...Object.keys(pages)].map((at) => `${path}/${at}`),
  ]),
  priceCalculator.path,
  deliveryDate.path,
  `${ftpSettingsItem.path}${OF_TENANT}`,
  `${externalApisItem.path}${OF_TENANT}`,
  feedsItem.path,
  `${feedsItem.path}${OF_TENANT}`,
  operationItem.path,
  conditionsDemo.path,
  gallery.path,
  ...MORE,
  '/profile',
  '/nowhere',
]

/** Returns an address that can be opened; null if the list is empty. */
export async function addressOf(page: Page, path: string): Promise<string | null> {
  const [resource] = (resources as readonly Resource[])
    .filter((one) => path === one.path || path.startsWith(`${one.path}/`))
    // the path of one resource may start with that of another
    .sort((a, b) => b.path.length - a.path.length)
  const address = resource?.tenant ? path + OF_TENANT : path
  if (!path.includes('/:id')) return address
  const id = await firstOf(page, resource?.apiPath ?? '')
  if (id === null || !path.includes('/:deliveryId')) return id === null ? null : address.replace(':id', String(id))
  const delivery = await firstOf(page, `${resource?.apiPath}/${id}/deliveries`)
  return delivery === null ? null : address.replace(':id', String(id)).replace(':deliveryId', String(delivery))
}

/** Returns the id of the first record of a list; null if it is empty. */
const firstOf = (page: Page, path: string): Promise<number | null> =>
  page.evaluate(async (list) => {
    const headers = { Authorization: `Bearer ${localStorage.getItem('serviceToken')}` }
    const me = await (await fetch('/api/users/me', { headers })).json()
    const answer = await fetch(`${list}?page[size]=1${me.tenant_id === null ? '&tenant_id=1' : ''}`, { headers })
    // an unread answer would leave the request pending
    const body = await answer.json()
    // a user without the permission sees the same refusal for any id
    return answer.ok ? (body.data[0]?.id ?? null) : 1
  }, path)

/**
 * Creates an external API and a webhook with a delivery, which the demo data lack; their servers do not
 * exist.
 */
export async function addConnections(page: Page): Promise<void> {
  const [apis, webhooks] = [`/api/admin/external-apis${OF_TENANT}`, `/api/admin/webhooks${OF_TENANT}`].map((path) =>
    path.replace('tenantId', 'tenant_id'),
  ) as [string, string]
  const { data } = await call<{ data: object[] }>(page, 'GET', webhooks)
  // another test on this server has created them
  if (data.length > 0) return
  const list = { path: 'articles', list: '/articles', number: '/no', name: '/text' }
  const availability = { method: 'GET', path: 'stock/{article_number}', lines_max: 1, quantity: '/free' }
  const connection = { base_url: 'https://erp.nordstahl.example/api', authentication: 'none', active: true }
  await call(page, 'POST', apis, { ...connection, availability, meta_data: { articles: list } })
  const events = ['import.finished', 'stock.changed']
  const { webhook } = await call<{ webhook: { id: number } }>(page, 'POST', webhooks, { url: 'https://portal.nordstahl.example/', events })
  await call(page, 'POST', webhooks.replace('?', `/${webhook.id}/test?`), {})
}
