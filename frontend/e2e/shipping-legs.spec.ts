import type { Page } from '@playwright/test'
import { inspect } from './axe'
import { call } from './call'
import { expect, signIn, test } from './server'

interface Node {
  id: number
  name: string
}

/** Creates two nodes that no other test uses. */
async function createNodes(page: Page): Promise<[Node, Node]> {
  const mark = Date.now().toString(36)
  await page.goto('/home')
  const create = (name: string) => call<Node>(page, 'POST', '/api/admin/shipping-nodes', { name, active: true })
  return [await create(`Werk ${mark}`), await create(`Depot ${mark}`)]
}

test('a leg and the return leg are created by keyboard alone', async ({ page }) => {
  await signIn(page)
  const [{ name: sender }, { name: receiver }] = await createNodes(page)
  await page.goto('/shippingNodes/legs')
  await expect(page.getByRole('heading', { level: 1, name: 'Versandstrecken' })).toBeVisible()
  await page.keyboard.press('n')
  const form = page.getByRole('dialog')
  await form.getByLabel(/^Absender/).focus()
  // Enter picks the only exact match
  await page.keyboard.type(sender)
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(form.getByLabel(/^Absender/)).toHaveValue(sender)
  await page.keyboard.press('Tab')
  await expect(form.getByLabel(/^Empfänger/)).toBeFocused()
  await page.keyboard.type(receiver)
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(form.getByLabel(/^Empfänger/)).toHaveValue(receiver)
  await page.keyboard.press('Tab')
  await expect(form.getByLabel('Beide Richtungen anlegen')).toBeFocused()
  await page.keyboard.press('Space')
  await expect(form.getByRole('list', { name: 'Strecken, die angelegt werden' }).getByText('wird angelegt')).toHaveCount(2)
  for (const typed of ['1h', '30', '5,5h', '45m']) {
    await page.keyboard.press('Tab')
    await page.keyboard.press('Control+a')
    await page.keyboard.type(typed)
  }
  await expect(form.getByRole('list', { name: 'Dauer der Strecke' })).toContainText('Zusammen 7h45m')
  await page.keyboard.press('Tab')
  await expect(form.getByLabel('Bestellschluss')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(form.getByLabel('Schnelleingabe')).toBeFocused()
  await page.keyboard.type('Di, Fr 6')
  await page.keyboard.press('Enter')
  await expect(form.getByLabel('Freitag', { exact: true })).toHaveValue('06:00')
  const times = form.getByRole('table', { name: 'Bestellschluss und Ankunft der Abfahrten' })
  await expect(times.getByRole('row').nth(1)).toHaveText('Di, Fr06:0004:3012:15')
  await inspect(page)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('2 Strecken angelegt:')).toBeVisible()
  await expect(form).toBeHidden()

  // both are listed, each with its next departure
  await page.getByRole('searchbox', { name: /Suchen nach/ }).fill(receiver)
  await expect(page.locator('[data-row-link]')).toHaveCount(2)
  await page
    .getByRole('main')
    .getByRole('link', { name: `${receiver} → ${sender}`, exact: true })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: `${receiver} → ${sender}` })).toBeVisible()
  const next = page.getByRole('table', { name: 'Nächste Abfahrten' })
  await expect(next.getByRole('row').filter({ hasNotText: 'Entfällt' })).toHaveCount(6)
})

test('an existing leg is pointed out before a second one is created', async ({ page }) => {
  await signIn(page)
  const [sender, receiver] = await createNodes(page)
  const durations = { preparation_duration: 0, loading_duration: 0, travel_duration: 60, unloading_duration: 0 }
  await call(page, 'POST', `/api/admin/shipping-nodes/${sender.id}/legs`, {
    receiving_node_id: receiver.id,
    ...durations,
    departures: [],
    exceptions: [],
  })
  await page.goto(`/shippingNodes/${sender.id}/outgoing`)
  await expect(page.getByText('Keine Abfahrten')).toBeVisible()
  await page.getByRole('link', { name: 'Neue Strecke' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel(/^Empfänger/).fill(receiver.name)
  await page.getByRole('option', { name: receiver.name, exact: true }).click()
  await expect(form.getByRole('link', { name: 'besteht schon und bleibt unverändert' })).toBeVisible()
})
