import type { Locator, Page } from '@playwright/test'
import { expect } from './server'

/** Dialog that shows the impact on prices. */
export const impactOf = (page: Page) =>
  page.getByRole('dialog', {
    name: /^(((Preise in|Werte von) )?„.*“ (anlegen|ändern|speichern)|Preise der Bestände speichern|(Create|Change|Save (prices in|values of)) “.*”)\?$/,
  })

/**
 * Waits for the impact on prices in a dialog, and until its buttons no longer move; a test that continues
 * earlier would check nothing, or miss the button.
 */
export async function expectImpact(dialog: Locator): Promise<void> {
  await expect(dialog.getByText(/^(Untersucht|Examined): /)).toBeVisible()
  let before = ''
  const isAtRest = async () => {
    const [last, now] = [before, JSON.stringify(await dialog.boundingBox())]
    before = now
    return last === now
  }
  await expect.poll(isAtRest, { intervals: [150] }).toBe(true)
}

/** Saves, and confirms the impact on prices. */
export async function saveWithImpact(page: Page): Promise<void> {
  const dialog = impactOf(page)
  await expectImpact(dialog)
  await dialog.getByRole('button', { name: /^(Speichern|Save|(Kopie|Neue Version) anlegen|Create (copy|new version))$/ }).click()
}

/** Undoes the change that the snackbar reports, and confirms the impact on prices. */
export async function undoWithImpact(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Rückgängig' }).last().click()
  const question = page.getByRole('alertdialog')
  await expectImpact(question)
  await question.getByRole('button', { name: 'Rückgängig machen' }).click()
}
