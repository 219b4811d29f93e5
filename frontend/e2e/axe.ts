import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Page, test } from '@playwright/test'
import { expect } from './server'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Folder for screenshots of every inspected page, for review by people. */
const SHOTS = process.env.STALHOF_SHOTS
let shot = 0

/**
 * Sets the colour scheme and waits until the transition has begun: `inspect` waits only for running ones.
 */
export async function setColours(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveAttribute('data-mode', colorScheme)
}

/** Rules below serious impact that are enforced too: all content is in a landmark. */
const STRICT = ['region']

/**
 * Waits until the page is at rest, then checks that axe finds nothing serious and that nothing is wider than
 * the window or, if the page scrolls inside its frame, higher.
 */
export async function inspect(page: Page, rest = () => page.waitForLoadState('networkidle')): Promise<void> {
  await rest()
  // waits for stale rows, which are pale, and for transitions
  const moving = () =>
    page.evaluate(() => {
      // the gallery has a page that loads forever
      const busy = location.pathname.startsWith('/demo/') ? [] : [...document.querySelectorAll('[aria-busy=true]')]
      const running = document.getAnimations().filter(({ playState, effect }) => {
        return playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
      })
      const moved = running.map(({ effect }) => (effect as KeyframeEffect | null)?.target)
      return [...busy, ...moved].map((element) => element?.outerHTML.slice(0, 160))
    })
  await expect.poll(moving).toEqual([])
  // evaluated instead of added as a script tag, which the content security policy would refuse; it stays
  // until a reload
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const findings = await page.evaluate(async (strict) => {
    type Axe = { run: (options: object) => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> }
    const { violations } = await (window as unknown as { axe: Axe }).axe.run({ resultTypes: ['violations'] })
    return violations
      .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || strict.includes(id))
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
  }, STRICT)
  expect(findings).toEqual([])
  if (SHOTS) {
    const name = [...test.info().titlePath.slice(1, -1), ++shot, new URL(page.url()).pathname].join(' ')
    await page.screenshot({ path: join(SHOTS, `${name.replaceAll(/[^\w.-]+/g, '_')}.png`) })
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  // from md up the page scrolls inside its frame: a scrollable window would move the navigation out of view
  const framed = await page.evaluate(() => window.innerWidth >= 1024 && document.getElementById('main') !== null)
  if (framed) expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0)
}
