import type { Locator, Page } from '@playwright/test'
import { expect, signIn, test } from './server'

const row = (form: Locator, number: number) => form.getByRole('group', { name: `Bereich ${number}`, exact: true })

/** Opens the demo's commercial lengths of beams. */
async function beams(page: Page): Promise<Locator> {
  await signIn(page)
  await page.goto('/tradeDimensions')
  await page.getByRole('link', { name: 'Handelslängen Träger' }).click()
  return page.getByRole('dialog', { name: 'Handelslängen Träger' })
}

test('a boundary is moved by keyboard and by mouse, without gaps in the ladder', async ({ page }) => {
  const form = await beams(page)
  const boundary = form.getByRole('slider', { name: 'Grenze zwischen L10 und L12' })
  await form.getByLabel('Länge ausprobieren').fill('10,4 m')
  await expect(form.getByRole('status')).toHaveText('10,4\u00a0m liegt in L12, berechnet werden 12,1\u00a0m')
  await boundary.focus()
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await expect(boundary).toHaveAttribute('aria-valuetext', '11,01\u00a0m')
  await expect(row(form, 3).getByLabel('Bis unter')).toHaveValue('11,01')
  await expect(row(form, 4).getByLabel('Von')).toHaveValue('11,01')
  await expect(form.getByRole('status')).toHaveText('10,4\u00a0m liegt in L10, berechnet werden 10,1\u00a0m')

  // up to the left neighbour's limit, and no further
  const box = await boundary.boundingBox()
  if (!box) throw new Error('the boundary is not shown')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x - 600, box.y, { steps: 8 })
  await page.mouse.up()
  await expect(boundary).toHaveAttribute('aria-valuetext', '8,21\u00a0m')
  await expect(row(form, 4).getByLabel('Von')).toHaveValue('8,21')
  await expect(form.getByText(/Lücke|überschneiden/)).toBeHidden()
})

test('an overlap is shown while it is typed, refused at its field, and corrected', async ({ page }) => {
  const form = await beams(page)
  const start = row(form, 4).getByLabel('Von')
  await start.fill('9')
  await expect(form.getByText('L10 und L12 überschneiden sich: 9\u00a0m bis 10,11\u00a0m')).toBeVisible()
  await form.getByRole('button', { name: 'Speichern' }).click()
  await expect(start).toHaveAccessibleDescription('Überschneidet sich mit Bereich „L10“')
  await expect(start).toBeFocused()
  await expect(start).toHaveValue('9')
  await form.getByRole('button', { name: 'L12 an L10 anschließen' }).click()
  await expect(start).toHaveAccessibleDescription('')
  await expect(form.getByRole('slider', { name: 'Grenze zwischen L10 und L12' })).toHaveAttribute('aria-valuetext', '10,11\u00a0m')
})
