import { inspect, setColours } from './axe'
import { call } from './call'
import { expect, signIn, test } from './server'

const OWNER = 'leitung@nordstahl.example'
/**
 * Article used by no other test. In the demo's price list of this year it costs 878 per tonne, in that of
 * next year 904.5.
 */
const ARTICLE = 'IPE-100-S355J2-15.1'

test('past and future prices are shown, each with an explanation', async ({ page }) => {
  test.slow()
  await signIn(page, OWNER)
  await page.goto('/price-calculator')
  const { data: articles } = await call<{ data: { id: number }[] }>(page, 'GET', `/api/admin/articles?filter[article_number]=${ARTICLE}`)
  const { data: lists } = await call<{ data: { id: number; name: string; status: string }[] }>(
    page,
    'GET',
    '/api/admin/price-lists?filter[name]=Verkauf&filter[status]=active',
  )
  const [article, list] = [articles[0], lists[0]]
  if (!article || !list) throw new Error('no article or list')
  const prices = [{ article_id: article.id, price: { price: '931', unit: 't' } }]
  await call(page, 'PUT', `/api/admin/price-lists/${list.id}/prices`, { prices })

  const main = page.getByRole('main')
  const table = page.getByRole('table', { name: 'Preise von Tag zu Tag' })
  const why = page.getByRole('region', { name: /^Warum dieser Preis: / })
  const year = Number(list.name.slice(-4))
  const rowOf = (name: string) => table.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })

  await test.step('from the calculator', async () => {
    await page.goto(`/price-calculator?line=${article.id}_1_t`)
    await main.getByRole('link', { name: 'Preis im Zeitverlauf: Position 1' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Preis im Zeitverlauf' })).toBeVisible()
    await expect(table.getByText('jetzt')).toBeVisible()
    await inspect(page)
  })

  await test.step("the past: by last year's list, by this year's list before its change, and as it is now", async () => {
    await rowOf(`Verkauf ${year - 1}`)
      .first()
      .getByRole('button', { name: /^Warum dieser Preis ab/ })
      .click()
    await expect(why.getByText('preis von 818,00 € / t.')).toBeVisible()
    await expect(why).toBeFocused()
    await inspect(page)
    const steps = rowOf(`Verkauf ${year}`)
    // includes a surcharge of 35 EUR
    await steps.filter({ hasText: '913,00' }).first().getByRole('button').click()
    await expect(why.getByText('preis von 878,00 € / t.')).toBeVisible()
    await steps.filter({ hasText: 'jetzt' }).getByRole('button').click()
    await expect(why.getByText('preis von 931,00 € / t.')).toBeVisible()
  })

  await test.step('the future by keyboard, preserved by a reload', async () => {
    const slider = main.getByRole('slider', { name: 'Preis im Zeitverlauf, Tag wählen' })
    await slider.focus()
    await page.keyboard.press('Home')
    await expect(slider).toHaveAttribute('aria-valuetext', /: \d+,\d\d/)
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await expect(why.getByText('preis von 904,50 € / t.')).toBeVisible()
    await page.reload()
    await expect(why.getByText('preis von 904,50 € / t.')).toBeVisible()
  })

  await test.step('a click explains the day below it', async () => {
    const slider = main.getByRole('slider')
    const box = await slider.boundingBox()
    if (!box) throw new Error('nothing is drawn')
    await slider.click({ position: { x: box.width - 40, y: box.height / 2 } })
    await expect(why.getByText('preis von 904,50 € / t.')).toBeVisible()
    // the explanation takes the focus when it appears, and the page moves under the pointer
    await expect(async () => {
      await slider.click({ position: { x: box.width / 4, y: box.height / 2 } })
      await expect(why.getByText(/preis von 8\d\d,\d\d\s€\s\/\st\./)).toBeVisible({ timeout: 2_000 })
    }).toPass()
  })

  await test.step('in English on a phone, dark', async () => {
    await page.evaluate(() => localStorage.setItem('Language', 'en'))
    await setColours(page, 'dark')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Price over time' })).toBeVisible()
    const read = page.getByRole('table', { name: 'Prices from day to day' })
    await expect(read).toBeVisible()
    await inspect(page)
    // the table scrolls within the page
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await read.evaluate((one) => one.clientWidth > (one.parentElement?.clientWidth ?? 0))).toBe(true)
  })
})
