import type { Page, Route } from '@playwright/test'
import { inspect } from './axe'
import { saveWithImpact } from './impact'
import { expect, signIn, test } from './server'

const OWNER = 'leitung@nordstahl.example'
const STOCKS = 12

/** Prefix of articles without stocks in the demo. */
const OWN = 'BL-'

/** Creates stocks without prices for this test. */
async function stock(page: Page): Promise<void> {
  // waits until the anti-forgery token no longer changes
  await page.goto('/home', { waitUntil: 'networkidle' })
  await page.evaluate(
    async ([count, own]) => {
      const xsrf = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '')
      const headers = {
        authorization: `Bearer ${localStorage.getItem('serviceToken')}`,
        'x-xsrf-token': xsrf,
        'content-type': 'application/json',
      }
      const first = async (path: string) => (await (await fetch(`/api/admin/${path}`, { headers })).json()).data as { id: number }[]
      const [warehouse] = await first('warehouses?page[size]=1')
      for (const { id } of await first(`articles?filter[article_number_starts_with]=${own}&page[size]=${count}`)) {
        const body = { article_id: id, warehouse_id: warehouse?.id, availability_type: 'always' }
        await fetch('/api/admin/stocks', { method: 'POST', headers, body: JSON.stringify(body) })
      }
    },
    [STOCKS, OWN] as const,
  )
}

test.use({ expectedStatuses: [422] })

test('text typed into the search while prices are loading stays', async ({ page }) => {
  await signIn(page, OWNER)
  const late = (delay: number) => async (route: Route) => {
    await new Promise((resolve) => setTimeout(resolve, delay))
    await route.continue()
  }
  await page.route(/\/api\/admin\/prices\?/, late(1000))
  await page.route(/\/listTools/, late(1500))
  await page.goto('/prices')
  const search = page.getByRole('main').getByRole('searchbox')
  await search.click()
  await page.keyboard.type('HEB-200', { delay: 300 })
  await expect(search).toBeFocused()
  await expect(search).toHaveValue('HEB-200')
  await expect(page).toHaveURL(/f\.search=HEB-200/)
})

test('prices are edited as in a spreadsheet, by keyboard and clipboard', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, OWNER)
  await stock(page)
  await page.goto('/prices')
  const sheet = page.getByRole('grid', { name: 'Preise' })
  const cell = (row: number, column: number) => sheet.locator(`[data-row="${row}"] [data-column="${column}"]`)
  await expect(cell(0, 0)).toBeVisible()
  const own = async () => {
    await page.getByRole('main').getByRole('searchbox').fill(OWN)
    // they come first without the search too
    await expect(page).toHaveURL(/f\.search=/)
    await expect(cell(0, 0)).toContainText(OWN)
  }
  await own()
  await cell(0, 4).click()

  // a block in the clipboard format of a German spreadsheet
  await page.evaluate(() => navigator.clipboard.writeText('1.850,50 €\t1\tt\r\n1.861,00 €\t1\tt\r\nauf Anfrage\t1\tt\r\n'))
  await page.keyboard.press('Control+V')
  await expect(cell(0, 4)).toContainText('1.850,50')
  await expect(cell(2, 4)).toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.press('F8')
  await expect(cell(2, 4)).toBeFocused()
  await page.keyboard.type('1872')
  await page.keyboard.press('Enter')

  // fill down, undo and redo
  await cell(2, 4).click()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Control+D')
  await expect(cell(4, 4)).toContainText('1.872,00')
  await page.keyboard.press('Control+Z')
  await expect(cell(4, 4)).not.toContainText('1.872,00')
  await page.keyboard.press('Control+Y')
  await expect(cell(4, 4)).toContainText('1.872,00')

  // the fill handle
  const handle = await cell(4, 4).locator('[data-fill]').boundingBox()
  const last = await cell(6, 4).boundingBox()
  if (!handle || !last) throw new Error('nothing to drag')
  await page.mouse.move(handle.x + 3, handle.y + 3)
  await page.mouse.down()
  await page.mouse.move(last.x + 10, last.y - 10)
  await page.mouse.move(last.x + 10, last.y + 10)
  await page.mouse.up()
  await expect(cell(6, 4)).toContainText('1.872,00')

  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(sheet.locator(':focus')).toHaveCount(0)

  await page.getByRole('button', { name: 'Speichern' }).click()
  await saveWithImpact(page)
  await expect(page.getByText('Die Preise von 7 Beständen wurden gespeichert')).toBeVisible()
  await page.reload()
  await own()
  await expect(cell(0, 4)).toContainText('1.850,50')
  await expect(cell(6, 4)).toContainText('1.872,00')

  // quantity breaks, in a dialog of their own
  await cell(0, 7).click()
  await page.keyboard.press('Enter')
  const tiers = page.getByRole('dialog', { name: 'Staffelpreise' })
  const external = tiers.getByRole('group', { name: 'Externe Staffelpreise' })
  await external.getByRole('button', { name: 'Hinzufügen' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('5')
  await external.getByLabel('Preis').last().fill('1.820')
  await external.getByRole('button', { name: 'Hinzufügen' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('5')
  await external.getByLabel('Preis').last().fill('1.800')
  await page.keyboard.press('Control+Enter')
  await expect(external.getByRole('group', { name: 'Staffel 2' }).getByRole('textbox', { name: /^Ab Menge/ })).toBeFocused()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('10')
  await inspect(page)
  await page.keyboard.press('Enter')
  await saveWithImpact(page)
  await expect(page.getByText('Die Staffelpreise wurden gespeichert')).toBeVisible()
  await expect(cell(0, 7)).toContainText('1.820')
  await expect(cell(0, 7)).toBeFocused()
})
