import type { Page } from '@playwright/test'
import { expect } from './server'

/** The dialog that tells what is about to happen to prices. */
export const impactOf = (page: Page) => page.getByRole('dialog', { name: /^(„.*“ (anlegen|ändern)|(Create|Change) “.*”)\?$/ })

/** Saves with the impact at hand. */
export async function saveWithImpact(page: Page): Promise<void> {
  const dialog = impactOf(page)
  await expect(dialog.getByText(/^(Berechnet für|Calculated for)/)).toBeVisible()
  await dialog.getByRole('button', { name: /^(Speichern|Save)$/ }).click()
}
