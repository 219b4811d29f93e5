import { inspect } from './axe'
import { expect, signIn, test } from './server'
import { type Receiver, startReceiver } from './webhook-receiver'

// allows secrets, and connections to this machine
test.use({ environment: { STALHOF_SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'), STALHOF_OUTBOUND_NETWORKS: '127.0.0.0/8' } })
test.skip(Boolean(process.env.STALHOF_URL), 'needs a server that may connect to this machine')

const USER = 'leitung@nordstahl.example'
/** Timeout for a delivery, which is sent within seconds. */
const SOON = { timeout: 30_000 }

let receiver: Receiver | null = null
test.beforeAll(async () => {
  receiver = await startReceiver()
})
test.afterAll(() => receiver?.stop())

test('a webhook is added, its delivery is shown and sent again, in both languages', async ({ page }) => {
  test.skip(receiver === null, 'OpenSSL is not installed')
  if (!receiver) return
  test.slow()
  const { url, authority } = receiver
  await signIn(page, USER, 'de')
  await page.goto('/webhooks/new')
  const form = page.getByRole('dialog', { name: 'Neuer Webhook' })
  await test.step('it is entered, and its secret is shown once', async () => {
    await form.getByLabel('Adresse des Empfängers').fill(url)
    await form.getByRole('checkbox', { name: 'Bestand geändert' }).press('Space')
    await form.getByLabel('Eigene Zertifizierungsstelle').fill(authority)
    await inspect(page)
    await form.getByRole('button', { name: 'Speichern' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Signaturschlüssel' })
    await expect(dialog.getByLabel('Signaturschlüssel')).toHaveValue(/^whsec_/)
    if (receiver) receiver.secret = await dialog.getByLabel('Signaturschlüssel').inputValue()
    await inspect(page)
    await dialog.getByRole('button', { name: 'Schließen' }).press('Enter')
    await page.waitForURL(/\/webhooks\/\d+$/)
  })
  await test.step('the test event arrives, signed', async () => {
    await page.getByRole('button', { name: 'Testereignis senden' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Testereignis' })).toBeVisible()
    await expect(page.getByText('Zugestellt', { exact: true }).first()).toBeVisible(SOON)
    await expect(page.getByText(/HTTP 204/)).toBeVisible()
    expect(receiver?.received).toMatchObject([{ type: 'test', isSigned: true }])
    await inspect(page)
  })
  await test.step('it is sent again with the same id, and refused this time', async () => {
    if (receiver) receiver.status = 500
    await page.getByRole('button', { name: 'Erneut senden' }).press('Enter')
    await expect(page.getByText(/HTTP 500.*von Hand/)).toBeVisible(SOON)
    const [first, second] = receiver?.received ?? []
    expect(second).toMatchObject({ id: first?.id, isSigned: true })
  })
  await test.step('the log can be filtered, in the other language', async () => {
    await page.getByRole('button', { name: 'English' }).press('Enter')
    await page.getByRole('link', { name: 'To the deliveries' }).press('Enter')
    await expect(page.getByRole('link', { name: 'Test event' })).toBeVisible()
    await inspect(page)
    await page.goto(`${page.url()}?f.event=stock.changed`)
    await expect(page.getByRole('link', { name: 'Test event' })).toBeHidden()
  })
  await test.step('the board shows the webhook', async () => {
    await page.goto('/feeds')
    await expect(page.getByRole('table', { name: 'Webhooks' }).getByRole('link', { name: /127\.0\.0\.1/ })).toBeVisible()
    await inspect(page)
  })
})
