import type { Page } from '@playwright/test'
import { inspect, setColours } from './axe'
import { call } from './call'
import { expect, signIn, test } from './server'

const TENANT = '?tenant_id=1'
const NAMES = { origin: 'Werk Ulm', hub: 'Umschlag Fürth', depot: 'Depot Linz-Hafen', far: 'Depot Ohne Weg' }

interface CreatedRecord {
  id: number
}

interface Network {
  warehouse: number
  nodes: Record<keyof typeof NAMES, number>
}

/** Creates a depot with a lorry on Tuesdays and Fridays, from a hub with a lorry on every working day. */
async function createNetwork(page: Page): Promise<Network> {
  const { id: warehouse } = await call<CreatedRecord>(page, 'POST', `/api/admin/warehouses${TENANT}`, {
    name: 'Werk Ulm',
    short_code: 'ULM',
    preparation_shift_time: '11:30',
    preparation_duration_before: 120,
    region: 'DE-BW',
  })
  const node = async (name: string, rest: object) =>
    (await call<CreatedRecord>(page, 'POST', '/api/admin/shipping-nodes', { name, active: true, ...rest })).id
  const nodes = {
    origin: await node(NAMES.origin, { latitude: '48.4011', longitude: '9.9876', region: 'DE-BW', warehouse_id: warehouse }),
    hub: await node(NAMES.hub, { latitude: '49.4771', longitude: '10.9887', region: 'DE-BY' }),
    depot: await node(NAMES.depot, { latitude: '48.3069', longitude: '14.2858', region: 'AT' }),
    far: await node(NAMES.far, {}),
  }
  const leg = (from: number, to: number, rest: object) =>
    call(page, 'POST', '/api/admin/shipping-legs', {
      sending_node_id: from,
      receiving_node_id: to,
      preparation_duration: 0,
      loading_duration: 60,
      unloading_duration: 45,
      exceptions: [],
      ...rest,
    })
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
  await leg(nodes.origin, nodes.hub, { travel_duration: 150, departures: days.map((weekday) => ({ weekday, time: '18:00' })) })
  await leg(nodes.hub, nodes.depot, {
    travel_duration: 390,
    departures: ['tuesday', 'friday'].map((weekday) => ({ weekday, time: '06:00' })),
  })
  return { warehouse, nodes }
}

/** Moves the focus to a field by Tab only. */
async function tabTo(page: Page, label: RegExp) {
  const field = page.getByRole('main').getByLabel(label).first()
  for (let at = 0; at < 80; at++) {
    if (await field.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${label}`)
}

async function pick(page: Page, label: RegExp, typed: string, expected: string) {
  await tabTo(page, label)
  await page.keyboard.type(typed)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').getByLabel(label).first()).toHaveValue(expected)
}

test('the arrival of an order to a depot in Linz is shown, with its stages and the effect of an earlier order', async ({ page }) => {
  test.slow()
  await signIn(page)
  await page.goto('/delivery-date?tenantId=1')
  await expect(page.getByRole('heading', { level: 1, name: 'Liefertermin' })).toBeVisible()
  const { nodes } = await createNetwork(page)
  const main = page.getByRole('main')
  const way = main.getByRole('table', { name: 'Weg der Ware' })
  const arrival = main.getByText(`Ankunft in ${NAMES.depot}: Dienstag, 20. Juni 2028, 13:15`)

  await test.step('by keyboard alone, to the minute', async () => {
    await pick(page, /^Lager/, 'ULM', 'ULM · Werk Ulm')
    await pick(page, /^Nach Versandknoten/, 'Linz-Haf', NAMES.depot)
    // Thursday, 15 June 2028, is Corpus Christi
    await tabTo(page, /^Bestellt am/)
    await page.keyboard.type('14.06.2028')
    await tabTo(page, /^Uhrzeit/)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('1140')
    await page.keyboard.press('Tab')
    await expect(arrival).toBeVisible()
    await expect(main.getByText('Vor Mi 11:30 bestellen, um 4 Tage zu gewinnen')).toBeVisible()
    await expect(main.getByText('Ankunft Fr 13:15 bei Bestellung vor Mi 11:30')).toBeVisible()
    await expect(way).toContainText('Die Bestellung kam 10 Minuten nach dem Bestellschluss um 11:30.')
    await expect(way).toContainText('Das Lager arbeitet nicht am Donnerstag, 15. Juni: Fronleichnam.')
    await expect(way).toContainText(/Fahrt von Umschlag Fürth nach Depot Linz-Hafen: 6\sh 30\smin, an Dienstag, 20\. Juni, 12:30\./)
    await inspect(page)
  })

  await test.step('the next order days say the same', async () => {
    const wednesday = main
      .getByRole('table', { name: 'Die nächsten vierzehn Bestelltage' })
      .getByRole('row', { name: /^Mittwoch, 14\. Juni/ })
    await expect(wednesday).toContainText('vor 11:30Fr 13:15')
  })

  await test.step('11:29 saves four days, preserved by a reload and by the back button', async () => {
    const earlier = main.getByRole('button', { name: 'Damit rechnen: Bestellung vor Mi 11:30, Ankunft Fr 13:15' })
    await earlier.focus()
    await page.keyboard.press('Enter')
    await expect(main.getByText(`Ankunft in ${NAMES.depot}: Freitag, 16. Juni 2028, 13:15`)).toBeVisible()
    await expect(page).toHaveURL(/at=2028-06-14T11%3A29/)
    await page.reload()
    await expect(main.getByText(`Ankunft in ${NAMES.depot}: Freitag, 16. Juni 2028, 13:15`)).toBeVisible()
    await expect(main.getByLabel(/^Lager/).first()).toHaveValue('ULM · Werk Ulm')
  })

  await test.step('the latest order for an arrival', async () => {
    await main.getByRole('radio', { name: 'letzte Bestellung für eine Ankunft' }).check()
    await main.getByLabel(/^Ankunft spätestens am/).fill('20.06.2028')
    await main.getByLabel(/^Uhrzeit/).fill('13:15')
    await expect(arrival).toBeVisible()
    await expect(main.getByText('Bestellt am Montag, 19. Juni 2028, 11:29')).toBeVisible()
  })

  await test.step('an impossible delivery is explained', async () => {
    await page.goto(`/delivery-date?tenantId=1&from=node_${nodes.origin}&to=${nodes.far}`)
    await expect(main.getByText(`Keine Strecken mit Abfahrten führen von ${NAMES.origin} nach ${NAMES.far}.`)).toBeVisible()
    await inspect(page)
  })

  await test.step('in English on a phone, dark', async () => {
    await page.evaluate(() => localStorage.setItem('Language', 'en'))
    await setColours(page, 'dark')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/delivery-date?tenantId=1&from=node_${nodes.origin}&to=${nodes.depot}&at=2028-06-14T11:40`)
    await expect(main.getByText(`Arrival in ${NAMES.depot}: Friday, 16 June 2028, 13:15`)).toBeVisible()
    await inspect(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  await test.step('the map shows the network, links to its nodes, and has a table', async () => {
    await page.evaluate(() => localStorage.setItem('Language', 'de'))
    await setColours(page, 'light')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/shippingNodes/map')
    const depot = main.getByRole('link', { name: /^Depot Linz-Hafen\..*Umschlag Fürth, Fahrt 6h30m, 2 Abfahrten je Woche/ })
    await expect(depot).toBeVisible()
    await expect(main.getByRole('link', { name: NAMES.far })).toBeVisible()
    await inspect(page)
    const before = await depot.boundingBox()
    await main.getByRole('group', { name: 'Karte des Streckennetzes' }).focus()
    await page.keyboard.press('+')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => depot.boundingBox()).not.toEqual(before)
    await page.keyboard.press('0')
    await expect.poll(() => depot.boundingBox()).toEqual(before)
    await main.getByRole('button', { name: 'Tabelle' }).click()
    await expect(
      main.getByRole('table', { name: 'Strecken' }).getByRole('row', { name: /Umschlag Fürth.*Depot Linz-Hafen.*6h30m/ }),
    ).toBeVisible()
    await inspect(page)
    await main.getByRole('button', { name: 'Karte' }).click()
    await depot.focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/shippingNodes/${nodes.depot}`))
  })

  await test.step('a place picked on the map fills in the coordinates', async () => {
    await page.goto(`/shippingNodes/${nodes.far}`)
    await main.getByRole('button', { name: 'Auf der Karte wählen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Ort auf der Karte wählen' })
    await dialog.getByRole('group', { name: 'Karte, Ort wählen' }).focus()
    await page.keyboard.press('ArrowUp')
    await expect(dialog.getByRole('status')).toHaveText(/^Gewählt: \d+,\d+; \d+,\d+$/)
    await inspect(page)
    await dialog.getByRole('button', { name: 'Übernehmen' }).click()
    await expect(main.getByLabel(/^Breitengrad/).first()).toHaveValue(/^\d+,\d+$/)
  })
})
