import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { Resource } from '../src/kit/records/resource'
import { expectImpact, saveWithImpact } from './impact'
import { OF_TENANT } from './pages'
import { EVERYTHING } from './rotation'
import { expect, signIn, test } from './server'

interface Texts {
  title: { list: string }
  actions: { new: string }
}

/** Texts of a namespace in German. */
const textsOf = (ns: string): Texts => JSON.parse(readFileSync(join(import.meta.dirname, `../src/i18n/de/${ns}.json`), 'utf8'))

export interface CrudCase {
  /** Fills the form of a new record; the record's name is given so that the suite finds it again. */
  fill: (form: Locator, name: string) => Promise<void>
  /**
   * Changes the record so that the list shows `expectedText`; `confirmAction` is the button of the
   * confirmation, if there is one.
   */
  change: { apply: (form: Locator) => Promise<void>; confirmAction?: string; expectedText: string }
  /** Operations that show their impact on prices first. */
  showsImpactFor?: readonly ('create' | 'change' | 'delete')[]
  /** Required field, emptied to provoke an error. */
  required: string
  /** Expected error, if not that the field is required. */
  refusal?: RegExp
  /** Field for editing a saved record, if not `required`. */
  edited?: string
  /** Tab of its page that a row and a new record open, if not that of its form. */
  tab?: string
  /** Tab of its page that only a new record opens; empty for the first one. */
  created?: string
  /** Text to retype for a deletion, if it is required. */
  retype?: (name: string) => string
  /** True for a resource that is tested in detail, as a model for the others. */
  model?: boolean
}

const JOURNEY = ['creates', 'finds, changes and shows the change', 'deletes after confirmation']

/** Tests the life of one record in the browser: models step by step, the others as one journey. */
export function crudSuite({ path, ns, tenant, page: own }: Pick<Resource, 'path' | 'ns' | 'tenant' | 'page'>, one: CrudCase): void {
  const { fill, change, required, refusal = /Pflichtfeld/, edited = required, retype, model, tab, created = tab, showsImpactFor = [] } = one
  const { title, actions } = textsOf(ns)
  const list = tenant ? path + OF_TENANT : path
  test.describe(path, () => {
    test.describe.configure({ mode: 'serial' })
    const name = `E2E ${path.slice(1)} ${Date.now().toString(36)}`
    const row = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
    /** Element that shows a record: the drawer over the list, or its page. */
    const opened = (page: Page) =>
      own ? page.getByRole('main').filter({ has: page.getByRole('button', { name: 'Änderungen verwerfen' }) }) : page.getByRole('dialog')
    /** Opens a record by a click on its row. */
    const openRow = async (page: Page) => {
      await page.getByRole('link', { name, exact: true }).click()
      if (tab) await page.getByRole('navigation', { name, exact: true }).getByRole('link').first().click()
    }
    const leave = (page: Page) =>
      own ? page.getByRole('main').getByRole('link', { name: title.list, exact: true }).click() : page.keyboard.press('Escape')
    const search = async (page: Page) => {
      await page.goto(list)
      await page.getByRole('searchbox', { name: /Suchen nach/ }).fill(name)
      await expect(page).toHaveURL(/f\./)
    }

    test.beforeEach(({ page }) => signIn(page))

    const steps: Record<string, (page: Page) => Promise<void>> = {
      'lists, and keeps its state in the address': async (page) => {
        await page.goto(list)
        await expect(page.getByRole('heading', { level: 1, name: title.list })).toBeVisible()
        await expect(page.locator('[data-row-link]').first()).toBeVisible()
        await page.getByRole('combobox', { name: 'Pro Seite' }).selectOption('20')
        await expect(page).toHaveURL(/size=20/)
        await page.reload()
        await expect(page.getByRole('combobox', { name: 'Pro Seite' })).toHaveValue('20')
      },
      'refuses an empty record and names the field': async (page) => {
        await page.goto(list)
        await page.getByRole('link', { name: actions.new }).click()
        await page.getByRole('button', { name: 'Speichern' }).click()
        await expect(page.getByLabel(required)).toHaveAccessibleDescription(refusal)
      },
      creates: async (page) => {
        await page.goto(list)
        await expect(page.getByRole('link', { name: actions.new })).toBeVisible()
        await page.keyboard.press('n')
        const form = page.getByRole('dialog')
        await fill(form, name)
        await page.keyboard.press('Control+Enter')
        if (showsImpactFor.includes('create')) await saveWithImpact(page)
        await expect(page.getByText(/wurde gespeichert/)).toBeVisible()
        await expect(form).toBeHidden()
        if (created !== undefined) return expect(page).toHaveURL(new RegExp(`${path}/\\d+${created && `/${created}`}`))
        // then navigates on without a reload
        await page.locator('[data-row-link]').first().click()
        await expect(opened(page)).toBeVisible()
      },
      'finds, changes and shows the change': async (page) => {
        await search(page)
        await expect(row(page)).toHaveCount(1)
        await openRow(page)
        const form = opened(page)
        await expect(form.getByRole('heading', { name })).toBeVisible()
        await change.apply(form)
        await form.getByRole('button', { name: 'Speichern' }).click()
        if (showsImpactFor.includes('change')) await saveWithImpact(page)
        if (change.confirmAction) await page.getByRole('alertdialog').getByRole('button', { name: change.confirmAction }).click()
        if (own) {
          await expect(page.getByText(/wurde gespeichert/)).toBeVisible()
          await search(page)
        }
        await expect(form).toBeHidden()
        await expect(row(page)).toContainText(change.expectedText)
      },
      'asks before input is lost': async (page) => {
        await search(page)
        await openRow(page)
        const form = opened(page)
        await form.getByLabel(edited).fill(`${name} anders`)
        await leave(page)
        await page.getByRole('button', { name: 'Weiter bearbeiten' }).click()
        await expect(form.getByLabel(edited)).toHaveValue(`${name} anders`)
      },
      'deletes after confirmation': async (page) => {
        await search(page)
        await page.getByRole('button', { name: `Aktionen für ${name}` }).click()
        await page.getByRole('menuitem', { name: 'Löschen' }).click()
        const question = page.getByRole('alertdialog')
        const button = question.getByRole('button', { name: 'Löschen' })
        if (retype) {
          await expect(button).toBeDisabled()
          await question.getByRole('textbox').fill(retype(name))
        }
        if (showsImpactFor.includes('delete')) await expectImpact(question)
        await button.click()
        await expect(page.getByText('Keine Treffer')).toBeVisible()
      },
    }
    if (model || EVERYTHING) {
      for (const [stepTitle, step] of Object.entries(steps)) test(stepTitle, ({ page }) => step(page))
      return
    }
    test('can be created, changed and deleted', async ({ page }) => {
      test.slow()
      for (const stepTitle of JOURNEY) await test.step(stepTitle, () => steps[stepTitle]?.(page) ?? Promise.reject(new Error(stepTitle)))
    })
  })
}
