import { expect, signIn, test } from './server'

/** Open tasks of the demo data, with the title of the list they link to and its first row. */
const LINES = [
  [/^1 Import .* nicht zugeordnete Zeilen/, 'Importe', 'preisliste-walzwerk.csv'],
  [/^2 Preise sind unplausibel/, 'Preise zur Freigabe', 'IPE-1'],
  [/^3 Nummern anderer Systeme/, 'Offene Nummern', '0009901'],
  // other tests change prices
  [/ Beispielwarenk(orb kostet|örbe kosten) nicht mehr/, 'Beispielwarenkörbe', 'Weicht ab'],
  [/ Zuschlagstabellen? (hat|haben) fehlende Werte/, 'Zuschlagstabellen', 'zuschlag'],
  [/^2 Bestände wurden seit 30 Tagen/, 'Bestände', 'IPE-'],
  [/^2 Preise sind älter als 30 Tage/, 'Preise', 'IPE-'],
  [/^1 Zugriffstoken läuft/, 'Zugriffstoken', 'Warenwirtschaft: Preise'],
] as const

test('the start page links to the list of each open task', async ({ page }) => {
  await signIn(page, 'leitung@nordstahl.example')
  for (const [line, title, row] of LINES) {
    await page.goto('/home')
    const waiting = page.getByRole('region', { name: 'Das wartet auf Sie' })
    await expect(waiting.getByRole('listitem')).toHaveCount(LINES.length)
    await waiting.getByRole('link', { name: line }).click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: row }).first()).toBeVisible()
  }
})
