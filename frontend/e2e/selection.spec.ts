import { expect, signIn, test } from './server'

test('many records are changed and deleted together; those in use stay, with the reason', async ({ page }) => {
  await signIn(page)
  // two records of its own, so that other tests find the materials unchanged
  for (const name of ['E2E Auswahl 1', 'E2E Auswahl 2']) {
    await page.goto('/materials/new')
    await page.getByRole('dialog').getByLabel('Name *').fill(name)
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText(`„${name}“ wurde gespeichert`)).toBeVisible()
  }
  const bar = page.getByRole('region', { name: 'Auswahl' })
  const box = (name: string) => page.getByRole('checkbox', { name: `${name} auswählen`, exact: true })

  await page.goto('/materials?size=20&f.name=E2E+Auswahl')
  await page.locator('[data-row-link]').first().focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+Space')
  await expect(bar).toContainText('2 ausgewählt')
  await bar.getByRole('button', { name: 'Ändern …' }).click()
  const change = page.getByRole('dialog', { name: '2 Einträge ändern' })
  await change.getByLabel('Feld').selectOption('Dichte (kg/dm³)')
  await change.getByRole('textbox').fill('7,777')
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 Einträge wurden geändert.')).toBeVisible()
  await expect(page.getByRole('cell', { name: '7,777' })).toHaveCount(2)

  await page.goto('/materials?f.name=S235JR&f.name=E2E+Auswahl')
  await box('E2E Auswahl 1').check()
  await box('S235JR').check()
  await box('E2E Auswahl 2').check()
  await bar.getByRole('button', { name: 'Löschen …' }).click()
  await page.getByRole('alertdialog').getByRole('textbox').fill('3')
  await page.keyboard.press('Enter')
  const outcome = page.getByRole('dialog', { name: '1 Eintrag wurde nicht gelöscht' })
  await expect(outcome).toContainText('2 Einträge wurden gelöscht.')
  await expect(outcome.getByRole('heading', { level: 3 })).toContainText('noch verwendet')
  await outcome.getByRole('link', { name: 'S235JR' }).click()
  await expect(page.getByRole('dialog', { name: 'S235JR' })).toBeVisible()
})
