import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Page, test } from '@playwright/test'
import { expect } from './server'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Where pictures of all that is inspected go, for people to look at. */
const SHOTS = process.env.STALHOF_SHOTS
let shot = 0

/** Makes the page light or dark, and waits until it has begun to fade: `inspect` waits only for what has begun. */
export async function setColours(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveAttribute('data-mode', colorScheme)
}

/** Rules of less than serious impact that every page follows as well: all of it lies in a landmark. */
const STRICT = ['region']

/** A page at rest: nothing that axe finds serious, and nothing wider than the window or, where it scrolls inside, higher. */
export async function inspect(page: Page, rest = () => page.waitForLoadState('networkidle')): Promise<void> {
  await rest()
  // rows that stay while others are fetched are pale, and what fades is for a moment
  const moving = () =>
    page.evaluate(() => {
      // the gallery shows a page that waits, for good
      const busy = location.pathname.startsWith('/demo/') ? [] : [...document.querySelectorAll('[aria-busy=true]')]
      const running = document.getAnimations().filter(({ playState, effect }) => {
        return playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
      })
      const moved = running.map(({ effect }) => (effect as KeyframeEffect | null)?.target)
      return [...busy, ...moved].map((element) => element?.outerHTML.slice(0, 160))
    })
  await expect.poll(moving).toEqual([])
  // evaluated, not added as a script tag: the policy would refuse it; it stays while the application stays loaded
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const found = await page.evaluate(async (strict) => {
    type Axe = { run: (options: object) => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> }
    const { violations } = await (window as unknown as { axe: Axe }).axe.run({ resultTypes: ['violations'] })
    return violations
      .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || strict.includes(id))
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
  }, STRICT)
  expect(found).toEqual([])
  if (SHOTS) {
    const name = [...test.info().titlePath.slice(1, -1), ++shot, new URL(page.url()).pathname].join(' ')
    await page.screenshot({ path: join(SHOTS, `${name.replaceAll(/[^\w.-]+/g, '_')}.png`) })
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  // from md on the page scrolls inside its frame: what leads the window further down takes the navigation out of sight
  const framed = await page.evaluate(() => window.innerWidth >= 1024 && document.getElementById('main') !== null)
  if (framed) expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0)
}
