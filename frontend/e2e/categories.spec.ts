import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, signIn, test } from './server'

const item = (page: Page, name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}`) })
const drawing = (name: string) => join(import.meta.dirname, `../../crates/stalhof/src/demo/pictures/${name}.png`)
const names = async (page: Page) => (await page.getByRole('treeitem').locator('p').allTextContents()).join(' ')

// high enough for the whole tree
test.use({ viewport: { width: 1440, height: 1200 } })

test.beforeEach(async ({ page }) => {
  await signIn(page)
  await page.goto('/categories')
  await expect(item(page, 'HEB')).toBeVisible()
})

test('the tree is navigated and changed by keyboard, and a move is undone', async ({ page }) => {
  const before = await names(page)
  await item(page, 'Langprodukte').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(item(page, 'HEB')).toBeFocused()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(page.getByText('„HEB“ steht jetzt in „Träger“ an Position 1 von 5')).toBeVisible()
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(page.getByText('„HEB“ steht jetzt in „Langprodukte“ an Position 2 von 4')).toBeVisible()
  await expect(item(page, 'HEB')).toBeFocused()
  await expect(item(page, 'HEB')).toHaveAttribute('aria-level', '2')
  await page.reload()
  await expect(item(page, 'HEB')).toHaveAttribute('aria-level', '2')

  await item(page, 'HEB').focus()
  await page.keyboard.press('Alt+ArrowRight')
  await expect(item(page, 'HEB')).toHaveAttribute('aria-level', '3')
  for (const position of [4, 3, 2]) {
    await page.keyboard.press('Alt+ArrowUp')
    await expect(page.getByText(`an Position ${position} von 5`)).toBeVisible()
  }
  expect(await names(page)).toBe(before)
  await page.keyboard.press('Alt+ArrowDown')
  await expect(page.getByText('an Position 3 von 5')).toBeVisible()
  await page.getByRole('button', { name: 'Rückgängig' }).click()
  await expect.poll(() => names(page)).toBe(before)
})

test('a category can be dragged into another one, but not into its own descendants', async ({ page }) => {
  const grip = (name: string) => item(page, name).locator('[data-grip]')
  const drag = async (from: string, to: string, share: number) => {
    const [start, end] = [await grip(from).boundingBox(), await item(page, to).boundingBox()]
    if (!start || !end) throw new Error('nothing to drag')
    await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2)
    await page.mouse.down()
    await page.mouse.move(start.x + 30, start.y + 30, { steps: 4 })
    await page.mouse.move(end.x + 200, end.y + end.height * share, { steps: 8 })
  }
  await drag('Sechskant', 'Träger', 0.5)
  await expect(item(page, 'Träger')).toHaveAttribute('data-drop', 'inside')
  await page.mouse.up()
  await expect(page.getByText('„Sechskant“ steht jetzt in „Träger“ an Position 6 von 6')).toBeVisible()
  await page.getByRole('button', { name: 'Rückgängig' }).click()
  await expect(page.getByText('„Sechskant“ steht jetzt')).toBeHidden()

  const before = await names(page)
  await drag('Langprodukte', 'Träger', 0.5)
  await expect(item(page, 'Träger')).not.toHaveAttribute('data-drop')
  await page.mouse.up()
  expect(await names(page)).toBe(before)

  // Escape cancels the drag
  await drag('IPE', 'HEA', 0.1)
  await expect(item(page, 'HEA')).toHaveAttribute('data-drop', 'before')
  await page.keyboard.press('Escape')
  await page.mouse.up()
  expect(await names(page)).toBe(before)
})

test('a category is created with a picture, which is replaced and removed', async ({ page }) => {
  await item(page, 'Träger').getByRole('button', { name: 'Aktionen für Träger' }).click()
  await page.getByRole('menuitem', { name: 'Unterkategorie anlegen' }).click()
  const form = page.getByRole('dialog')
  await expect(form.getByLabel('Übergeordnete Kategorie')).toHaveValue('Langprodukte › Träger')
  await form.getByLabel('Name *').fill('HEM')
  await form.getByLabel('Bild der Kategorie', { exact: true }).setInputFiles(drawing('angle'))
  await expect(form.getByText('angle.png')).toBeVisible()
  await expect(form.locator('img')).toHaveCount(1)
  await page.keyboard.press('Control+Enter')
  await expect(form).toBeHidden()
  const image = item(page, 'HEM').locator('img')
  await expect(image).toBeVisible()
  expect(await image.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(96)

  await item(page, 'HEM').press('Enter')
  const edited = page.getByRole('dialog', { name: 'HEM' })
  await expect(edited.locator('img')).toHaveCount(1)
  await edited.getByRole('button', { name: 'Bild der Kategorie: Entfernen' }).click()
  await expect(edited.locator('img')).toHaveCount(0)
  await edited.getByRole('button', { name: 'Speichern' }).click()
  await expect(edited).toBeHidden()
  await expect(image).toHaveCount(0)
})

test.describe('a file that is no image', () => {
  test.use({ expectedStatuses: [422] })
  test('is refused at its field, and the other input is kept', async ({ page }) => {
    await page.goto('/categories/new')
    const form = page.getByRole('dialog')
    await form.getByLabel('Name *').fill('Zubehör')
    const field = form.getByLabel('Bild der Kategorie', { exact: true })
    await field.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
    await expect(field).toHaveAccessibleDescription(/logo\.svg: .*PNG, JPEG oder WebP/)

    const script = Buffer.from('<script>alert(1)</script>')
    await field.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: script })
    await expect(field).toHaveAccessibleDescription(/logo\.png: .*PNG, JPEG oder WebP/)
    const whole = readFileSync(drawing('round'))
    await field.setInputFiles({ name: 'halb.png', mimeType: 'image/png', buffer: whole.subarray(0, whole.length / 2) })
    await form.getByRole('button', { name: 'Speichern' }).click()
    await expect(field).toHaveAccessibleDescription(/beschädigt oder unvollständig.*Die übrigen Angaben sind gespeichert/)
    await expect(form.getByLabel('Name *')).toHaveValue('Zubehör')

    await field.setInputFiles(drawing('round'))
    await form.getByRole('button', { name: 'Speichern' }).click()
    await expect(form).toBeHidden()
    await item(page, 'Zubehör').scrollIntoViewIfNeeded()
    await expect(item(page, 'Zubehör').locator('img')).toBeVisible()
    await expect(item(page, 'Zubehör')).toHaveCount(1)
  })
})

test('the tree is searched', async ({ page }) => {
  await page.getByRole('searchbox', { name: 'Suchen nach Name' }).fill('sechs')
  await expect.poll(() => names(page)).toBe('Langprodukte Stabstahl Sechskant')
  await expect(page).toHaveURL(/f\.name=sechs/)
})

test.describe('a user of a tenant', () => {
  test('cannot change the tree', async ({ browser, app }) => {
    const page = await browser.newPage({ baseURL: app })
    await signIn(page, 'leitung@nordstahl.example')
    await page.goto('/categories')
    await expect(item(page, 'HEB').locator('img')).toBeVisible()
    await expect(page.locator('[data-grip]')).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Neue Kategorie' })).toHaveCount(0)
    await page.close()
  })
})
