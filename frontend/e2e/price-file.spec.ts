import { inspect } from './axe'
import { expect, signIn, test } from './server'

/** One price that is fine, one that is ten times too high, and a number that nothing matches. */
const FILE = [
  'Artikelnummer;Externe Artikelnummer;Bezeichnung;Lager;Preis;Preismenge;Preiseinheit',
  'IPE-80-S355J2-15.1;;;L;846,00;1;t',
  'IPE-80-S355J2-12.1;;;HH;8.400,00;1;t',
  ';STORY-1;IPE-80-S235JR-15.1;L;816,00;1;t',
].join('\r\n')

test('a price list with an unknown number and a wrong price is imported, mended and taken back', async ({ page }) => {
  test.slow()
  await signIn(page, 'leitung@nordstahl.example')
  await page.goto('/imports/new')
  const form = page.getByRole('dialog', { name: 'Datei importieren' })
  await form.getByLabel('Inhalt').selectOption('Price')
  await page.locator('input[type=file]').setInputFiles({ name: 'preise.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) })
  await form.getByLabel('Name').fill('Preisliste')
  await form.getByRole('button', { name: 'Hochladen' }).click()
  const detail = page.getByRole('dialog', { name: 'Preisliste' })
  const count = (what: string) => detail.getByRole('term').filter({ hasText: what }).locator('xpath=following-sibling::dd').first()
  await expect(detail.getByText('Teilweise erfolgreich')).toBeVisible()
  await expect(count('Angehalten')).toHaveText('1')
  await expect(count('Ohne Zuordnung')).toHaveText('1')
  await detail.getByRole('button', { name: 'Zeilen ansehen' }).click()
  await expect(detail.getByRole('table', { name: 'Was aus den Zeilen wurde' }).getByRole('row')).not.toHaveCount(0)
  const imported = page.url()

  await test.step('the number is matched by keyboard, and its row is imported', async () => {
    await detail.getByRole('link', { name: 'Nummern zuordnen' }).press('Enter')
    await page.getByRole('main').getByRole('searchbox').fill('STORY-1')
    await page.getByRole('link', { name: 'STORY-1' }).press('Enter')
    const drawer = page.getByRole('dialog', { name: 'STORY-1' })
    await drawer.getByRole('button', { name: /IPE-80-S235JR-15\.1/ }).press('Enter')
    await inspect(page)
    await drawer.getByRole('button', { name: 'Zuordnen' }).press('Enter')
    await expect(page.getByText(/^„STORY-1“ ist zugeordnet/)).toBeVisible()
    await expect(page.getByText('Keine Treffer').or(page.getByText('Alle Nummern sind zugeordnet'))).toBeVisible()
  })

  await test.step('the wrong price is refused', async () => {
    await page.goto('/prices/held')
    await page.getByRole('button', { name: 'Aktionen für IPE-80-S355J2-12.1, HH' }).click()
    await page.getByRole('menuitem', { name: 'Ablehnen' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Ablehnen' }).click()
    await expect(page.getByText(/^Die Preise von „IPE-80-S355J2-12\.1, HH“ wurden abgelehnt/)).toBeVisible()
  })

  await test.step('the import as a whole is taken back', async () => {
    await page.goto(imported)
    await detail.getByRole('button', { name: 'Import zurücknehmen …' }).press('Enter')
    const question = page.getByRole('dialog', { name: '„Preisliste“ zurücknehmen?' })
    await question.getByRole('button', { name: 'Zurücknehmen' }).press('Enter')
    await expect(page.getByText('„Preisliste“ wurde zurückgenommen')).toBeVisible()
    await expect(detail.getByRole('row').filter({ hasText: 'IPE-80-S355J2-15.1' })).toContainText('Wie vorher')
  })
})
