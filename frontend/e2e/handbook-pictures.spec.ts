import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { call } from './call'
import { EXAMPLE_LIST, expect, signIn, test, trackRequests } from './server'

/*
 * Screenshots for the handbook. `just handbook-pictures` writes them into `docs/handbook/pictures`;
 * otherwise the same steps run without writing, so that a screenshot that can no longer be taken is noticed.
 */

const PICTURES = process.env.STALHOF_HANDBOOK_PICTURES
const OWNER = 'leitung@nordstahl.example'
const ADMIN = 'admin@stalhof.example'

const languages = ['de', 'en'] as const
type Lang = (typeof languages)[number]

const texts = (lang: Lang, file: string) => JSON.parse(readFileSync(join(import.meta.dirname, `../src/i18n/${lang}/${file}.json`), 'utf8'))

interface Picture {
  name: string
  path: string | ((page: Page) => Promise<string>)
  /** Steps on the page before the screenshot. */
  steps?: (page: Page, lang: Lang) => Promise<unknown>
}

/** Returns the id of the first record of a list that matches a query. */
const first = async (page: Page, list: string, query = '') => {
  const { data } = await call<{ data: { id: number }[] }>(page, 'GET', `/api/admin/${list}?page[size]=1${query}`)
  expect(data[0], `${list}${query}`).toBeDefined()
  return data[0]?.id ?? 0
}

const pictures: readonly Picture[] = [
  { name: 'home', path: '/home' },
  { name: 'articles', path: '/articles?f.search=HEB%20200' },
  { name: 'stocks', path: '/stocks' },
  {
    name: 'import-upload',
    path: '/imports/new',
    async steps(page, lang) {
      await page.locator('input[type=file]').setInputFiles(EXAMPLE_LIST)
      const { title } = texts(lang, 'imports').wizard.columns
      await expect(page.getByRole('dialog').getByText(title).first()).toBeVisible()
    },
  },
  { name: 'import-results', path: async (page) => `/imports/${await first(page, 'imports', '&filter[status]=PartialSuccess&sort=id')}` },
  { name: 'unresolved-numbers', path: '/unresolved-numbers' },
  { name: 'prices', path: '/prices' },
  { name: 'price-list-prices', path: async (page) => `/priceLists/${await first(page, 'price-lists', '&sort=id')}/prices` },
  { name: 'price-adjustments', path: '/price-adjustments' },
  {
    name: 'price-calculator',
    path: async (page) => `/price-calculator?line=${await first(page, 'articles', '&sort=id')}_3_t`,
    async steps(page, lang) {
      const { why } = texts(lang, 'priceCalculator')
      const shows = page.getByRole('button', { name: why.of.replace('{{number}}', '1') })
      await shows.click()
      await expect(page.getByRole('region', { name: new RegExp(`^${why.region.split('{{')[0]}`) })).toBeVisible()
      await shows.scrollIntoViewIfNeeded()
    },
  },
  { name: 'warehouse-calendar', path: async (page) => `/warehouses/${await first(page, 'warehouses', '&sort=id')}/calendar` },
  {
    name: 'delivery-date',
    path: async (page) =>
      `/delivery-date?from=warehouse_${await first(page, 'warehouses', '&sort=id')}&to=${await first(page, 'shipping-nodes', '&filter[name]=Linz&sort=id')}`,
    steps: (page, lang) => page.getByText(texts(lang, 'deliveryDate').why.title).scrollIntoViewIfNeeded(),
  },
  { name: 'history', path: '/audit' },
]

/** Writes a screenshot of the page as WebP, half the size of a PNG. */
async function write(page: Page, lang: Lang, name: string): Promise<void> {
  if (!PICTURES) return
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  const maker = await page.context().newPage()
  const webp = await maker.evaluate(async (source) => {
    const image = new Image()
    image.src = `data:image/png;base64,${source}`
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.width
    canvas.height = image.height
    canvas.getContext('2d')?.drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.8).split(',')[1] ?? ''
  }, png.toString('base64'))
  await maker.close()
  mkdirSync(join(PICTURES, lang), { recursive: true })
  writeFileSync(join(PICTURES, lang, `${name}.webp`), Buffer.from(webp, 'base64'))
}

test.use({ viewport: { width: 1120, height: 700 }, colorScheme: 'light' })

for (const lang of languages) {
  test(`the pictures of the handbook: ${lang}`, async ({ page }) => {
    test.slow()
    const settled = trackRequests(page)
    await signIn(page, OWNER, lang)
    await page.goto('/home')
    for (const { name, path, steps } of pictures) {
      await test.step(name, async () => {
        await page.goto(typeof path === 'string' ? path : await path(page))
        await settled()
        await steps?.(page, lang)
        await settled()
        await write(page, lang, name)
      })
    }
  })

  test(`the pictures of the handbook for administrators: ${lang}`, async ({ page }) => {
    const settled = trackRequests(page)
    await signIn(page, ADMIN, lang)
    await page.goto('/operation')
    await settled()
    await write(page, lang, 'operation')
  })
}
