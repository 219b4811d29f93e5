import { expect, invite, test } from './server'

const GOOD = 'amboss-nebel-kran-17'

test.skip(Boolean(process.env.STALHOF_URL), 'needs the data of the server')
// a used link, and a password that is too weak
test.use({ expectedStatuses: [404, 422] })

test('an invited person sets a password, signs in, and the link is used up', async ({ page, data, app }) => {
  expect(app).toBeTruthy()
  const link = invite(data, 'adele.neu@stalhof.example', 'Adele Neu')
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: 'Willkommen, Adele Neu' })).toBeVisible()
  const password = page.getByLabel('Neues Passwort')
  const repeated = page.getByLabel('Passwort wiederholen')

  await password.fill('adele-2026-!')
  await expect(page.getByText(/Stärke: (sehr )?schwach/)).toBeVisible()
  await repeated.fill('adele-2026-!')
  await page.getByRole('button', { name: 'Passwort festlegen' }).click()
  await expect(password).toHaveAccessibleDescription(/^Ihr Passwort ist nicht stark genug\. \S/)

  await password.fill(GOOD)
  await expect(page.getByText(/Stärke: (sehr )?stark/)).toBeVisible()
  await repeated.fill(GOOD)
  await page.getByRole('button', { name: 'Passwort festlegen' }).click()
  await page.getByRole('link', { name: 'Zur Anmeldung' }).click()

  await expect(page.getByLabel('E-Mail-Adresse')).toHaveValue('adele.neu@stalhof.example')
  await page.locator('input[name=password]').fill(GOOD)
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await expect(page.getByRole('heading', { name: 'Willkommen, Adele Neu' })).toBeVisible()

  await page.evaluate(() => localStorage.clear())
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: 'Dieser Link ist ungültig' })).toBeVisible()
})
