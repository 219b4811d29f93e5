import type { Locator, Page } from '@playwright/test'
import { inspect } from './axe'
import { expect, signIn, test } from './server'

/** File in which half of the numbers match nothing, and one price is ten times too high. */
const file = (story: PriceFileStory) =>
  [
    'Artikelnummer;Externe Artikelnummer;Bezeichnung;Lager;Preis;Preismenge;Preiseinheit',
    `${story.right};;;L;${story.price};1;t`,
    `${story.wrong};;;HH;${story.tenfold};1;t`,
    ...story.unknown.map(({ number, means, warehouse }) => `;${number};${means};${warehouse};825,00;1;t`),
  ].join('\r\n')

interface PriceFileStory {
  right: string
  price: string
  wrong: string
  tenfold: string
  unknown: { number: string; means: string; warehouse: string }[]
}

/** Input method of a person: mouse or keyboard. */
interface InputMethod {
  press: (target: Locator) => Promise<void>
  write: (field: Locator, text: string) => Promise<void>
  choose: (field: Locator, value: string) => Promise<void>
  /** Opens the file dialog. */
  openFiles: (form: Locator) => Promise<void>
  /** Chooses an entry of the menu that a button opens. */
  fromMenu: (button: Locator, entry: Locator) => Promise<void>
  /** Opens a page of the navigation. */
  goTo: (name: string) => Promise<void>
}

const mouse = (page: Page): InputMethod => ({
  press: (target) => target.click(),
  async write(field, text) {
    await field.click()
    await page.keyboard.type(text)
  },
  choose: async (field, value) => void (await field.selectOption(value)),
  openFiles: (form) => form.locator('input[type=file] + label').click(),
  async fromMenu(button, entry) {
    await button.click()
    await entry.click()
  },
  goTo: (name) => page.getByRole('navigation').getByRole('link', { name, exact: true }).first().click(),
})

/** Presses Tab until the element has the focus; fails if it cannot be reached without a mouse. */
async function reach(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  const focused = () => target.evaluate((element) => element === document.activeElement)
  for (let tabs = 0; tabs < 250; tabs++) {
    if (await focused()) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no key leads to ${target}`)
}

const keyboard = (page: Page): InputMethod => ({
  async press(target) {
    await reach(page, target)
    await page.keyboard.press('Enter')
  },
  async write(field, text) {
    await reach(page, field)
    await page.keyboard.type(text)
  },
  async choose(field, value) {
    await reach(page, field)
    for (let steps = 0; steps < 10 && (await field.inputValue()) !== value; steps++) await page.keyboard.press('ArrowDown')
    for (let steps = 0; steps < 10 && (await field.inputValue()) !== value; steps++) await page.keyboard.press('ArrowUp')
    await expect(field).toHaveValue(value)
  },
  async openFiles(form) {
    await reach(page, form.locator('input[type=file]'))
    await page.keyboard.press('Enter')
  },
  async fromMenu(button, entry) {
    await reach(page, button)
    await page.keyboard.press('Enter')
    await expect(entry).toBeVisible()
    for (let steps = 0; steps < 10; steps++) {
      if (await entry.evaluate((element) => element === document.activeElement)) return page.keyboard.press('Enter')
      await page.keyboard.press('ArrowDown')
    }
    throw new Error(`no key leads to ${entry}`)
  },
  async goTo(name) {
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox').and(page.locator(':focus'))).toBeVisible()
    const option = page.getByRole('option', { name }).first()
    await page.keyboard.type(name)
    await expect(option).toBeVisible()
    await expect(option).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
  },
})

const DE = {
  imports: 'Importe',
  upload: 'Datei importieren',
  type: 'Inhalt',
  send: 'Importieren',
  name: 'Preisliste des Walzwerks',
  partly: 'Teilweise erfolgreich',
  held: 'Zur Freigabe',
  unmatched: 'Ohne Zuordnung',
  recognised: /Spalten erkannt$/,
  back: 'Zum Import',
  rows: 'Zeilen ansehen',
  table: 'Ergebnis der Zeilen',
  toNumbers: 'Nummern zuordnen',
  match: 'Zuordnen',
  matched: (number: string) => `„${number}“ ist zugeordnet`,
  replayed: /Wartende Zeilen importiert: 1\sgeändert\./,
  close: 'Schließen',
  toHeld: 'Preise zur Freigabe prüfen',
  actions: (stock: string) => `Aktionen für ${stock}`,
  release: 'Vorschlag freigeben',
  released: (stock: string) => `Der Vorschlag für „${stock}“ wurde freigegeben`,
  undo: 'Import rückgängig machen …',
  question: '„Preisliste des Walzwerks“ rückgängig machen?',
  confirm: 'Rückgängig machen',
  undone: '„Preisliste des Walzwerks“ wurde rückgängig gemacht',
  asBefore: 'Wie vorher',
}

const EN: typeof DE = {
  imports: 'Imports',
  upload: 'Import a file',
  type: 'Content',
  send: 'Import',
  name: 'Price list of the mill',
  partly: 'Partly successful',
  held: 'Under review',
  unmatched: 'Unmatched',
  recognised: /columns recognised$/,
  back: 'To the import',
  rows: 'Look at the rows',
  table: 'Row results',
  toNumbers: 'Match numbers',
  match: 'Match',
  matched: (number: string) => `“${number}” is matched`,
  replayed: /Waiting rows imported: 1\schanged\./,
  close: 'Close',
  toHeld: 'Check the prices under review',
  actions: (stock: string) => `Actions for ${stock}`,
  release: 'Release the proposal',
  released: (stock: string) => `The proposal for “${stock}” was released`,
  undo: 'Undo import …',
  question: 'Undo “Price list of the mill”?',
  confirm: 'Undo',
  undone: '“Price list of the mill” has been undone',
  asBefore: 'As before',
}

const CASES = [
  {
    title: 'in German by mouse',
    language: 'de' as const,
    way: mouse,
    words: DE,
    story: {
      right: 'IPE-80-S355J2-15.1',
      price: '846,00',
      wrong: 'IPE-80-S355J2-12.1',
      tenfold: '8.400,00',
      unknown: [
        { number: 'STORY-1', means: 'IPE-80-S235JR-15.1', warehouse: 'L' },
        { number: 'STORY-2', means: 'IPE-80-S235JR-18.1', warehouse: 'DU' },
      ],
    },
  },
  {
    title: 'in English by keyboard alone',
    language: 'en' as const,
    way: keyboard,
    words: EN,
    story: {
      right: 'IPE-100-S235JR-15.1',
      price: '892,00',
      wrong: 'IPE-100-S235JR-12.1',
      tenfold: '8.790,00',
      unknown: [
        { number: 'STORY-3', means: 'IPE-100-S235JR-6.1', warehouse: 'DU' },
        { number: 'STORY-4', means: 'IPE-100-S235JR-18.1', warehouse: 'DU' },
      ],
    },
  },
]

for (const { title, language, way, words, story } of CASES) {
  test(`a price list with unknown numbers and a wrong price is imported, corrected and undone ${title}`, async ({ page }) => {
    test.slow()
    const { press, write, choose, openFiles, fromMenu, goTo } = way(page)
    await signIn(page, 'leitung@nordstahl.example', language)
    await page.goto('/home')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const main = page.getByRole('main')
    const detail = page.getByRole('dialog', { name: words.name })
    const count = (label: string) =>
      detail
        .getByRole('term')
        .filter({ hasText: new RegExp(`^${label}$`) })
        .locator('xpath=following-sibling::dd')
        .first()
    const toImport = async () => {
      await goTo(words.imports)
      await press(main.getByRole('link', { name: words.name, exact: true }).last())
      await expect(detail).toBeVisible()
    }

    await test.step('the file is imported', async () => {
      await goTo(words.imports)
      await press(main.getByRole('link', { name: words.upload }).first())
      const form = page.getByRole('dialog', { name: words.upload })
      await choose(form.getByLabel(words.type), 'Price')
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), openFiles(form)])
      await chooser.setFiles({ name: 'preise.csv', mimeType: 'text/csv', buffer: Buffer.from(file(story)) })
      await write(form.getByLabel('Name', { exact: true }), words.name)
      await expect(form.getByText(words.recognised)).toBeVisible()
      await press(form.getByRole('button', { name: words.send, exact: true }))
      await expect(detail.getByText(words.partly)).toBeVisible()
      await expect(count(words.held)).toHaveText('1')
      await expect(count(words.unmatched)).toHaveText('2')
      await press(detail.getByRole('link', { name: words.rows }))
      await expect(main.getByRole('table', { name: words.table }).getByRole('row')).toHaveCount(5)
      await press(main.getByRole('link', { name: words.back }))
    })

    await test.step('its numbers are matched by suggestion, and their rows are imported', async () => {
      await press(detail.getByRole('link', { name: words.toNumbers }))
      for (const { number, means } of story.unknown) {
        await press(main.getByRole('link', { name: number, exact: true }))
        const drawer = page.getByRole('dialog', { name: number })
        await press(drawer.getByRole('button', { name: new RegExp(means.replaceAll('.', '\\.')) }))
        await inspect(page)
        await press(drawer.getByRole('button', { name: words.match, exact: true }))
        await expect(drawer.getByText(words.matched(number))).toBeVisible()
        await expect(drawer.getByText(words.replayed)).toBeVisible()
        await press(drawer.getByRole('button', { name: words.close, exact: true }).last())
        await expect(main.getByRole('link', { name: number, exact: true })).toHaveCount(0)
      }
    })

    await test.step('the suggestion for the wrong price is released', async () => {
      await toImport()
      await press(detail.getByRole('link', { name: words.toHeld }))
      const stock = `${story.wrong}, HH`
      await fromMenu(page.getByRole('button', { name: words.actions(stock) }), page.getByRole('menuitem', { name: words.release }))
      await press(page.getByRole('alertdialog').getByRole('button', { name: words.release }))
      await expect(page.getByText(words.released(stock))).toBeVisible()
    })

    await test.step('the whole import is undone', async () => {
      await toImport()
      await press(detail.getByRole('button', { name: words.undo }))
      const question = page.getByRole('dialog', { name: words.question })
      await press(question.getByRole('button', { name: words.confirm, exact: true }))
      await expect(page.getByText(words.undone)).toBeVisible()
      for (const article of [story.right, story.wrong]) {
        await expect(detail.getByRole('row').filter({ hasText: article })).toContainText(words.asBefore)
      }
    })
  })
}
