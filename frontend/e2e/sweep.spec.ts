import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { expect, signIn, test } from './server'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PAGES = [
  '/home',
  '/attributes',
  '/attributes/new',
  '/attributes/order',
  '/materials',
  '/materials/new',
  '/articleTypes',
  '/articleTypes/new',
  '/articleTypes/1',
  '/articles',
  '/articles/new',
  '/articles/1',
  '/nowhere',
]

async function inspect(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  // evaluated, not added as a script tag: the policy would refuse it
  await page.evaluate(axe)
  const found = await page.evaluate(async () => {
    type Axe = { run: (options: object) => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> }
    const { violations } = await (window as unknown as { axe: Axe }).axe.run({ resultTypes: ['violations'] })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
  })
  expect(found).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
}

for (const width of [1440, 390]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const language of ['de', 'en'] as const) {
      test.describe(`${width} px, ${colorScheme}, ${language}`, () => {
        test.use({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' } as object)

        test('login', async ({ page }) => {
          await page.addInitScript((lang) => localStorage.setItem('Language', lang), language)
          await page.goto('/login')
          await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
          await inspect(page)
        })

        test('pages', async ({ page }) => {
          await signIn(page, undefined, language)
          for (const path of PAGES) {
            await test.step(path, async () => {
              await page.goto(path)
              await expect(page.locator('h1').first()).toBeVisible()
              await expect(page.locator('h1')).toHaveCount(1)
              await inspect(page)
            })
          }
        })
      })
    }
  }
}
