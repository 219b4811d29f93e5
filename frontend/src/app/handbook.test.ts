import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RouteObject } from 'react-router'
import { expect, it } from 'vitest'
import { CHAPTERS } from '../../handbook/chapters'
import { area } from './area'
import { routes } from './router'

const handbook = join(import.meta.dirname, '../../../docs/handbook')
const texts = join(import.meta.dirname, '../i18n')
const languages = ['de', 'en'] as const
const pages = CHAPTERS.flatMap((chapter): readonly string[] => chapter.pages)
const read = (lang: string, page: string) => readFileSync(join(handbook, lang, `${page}.md`), 'utf8')

/** Bold words allowed besides texts of the interface: fields of the server's messages, and file names. */
const EXCEPTIONS = new Set<string>([])

/** Returns all texts of the interface in a language. */
function labels(lang: string): Set<string> {
  const all = readdirSync(join(texts, lang)).map((file) => JSON.parse(readFileSync(join(texts, lang, file), 'utf8')))
  const flat = (value: unknown): string[] => (typeof value === 'string' ? [value] : Object.values(value as object).flatMap(flat))
  return new Set(all.flatMap(flat))
}

it('has exactly the pages of its table of contents in both languages', () => {
  for (const lang of languages) {
    const files = readdirSync(join(handbook, lang)).map((file) => file.replace('.md', ''))
    expect(files.sort()).toEqual(['index', ...pages].sort())
  }
})

it.each(languages)('uses the names of the interface: %s', (lang) => {
  const interfaceLabels = labels(lang)
  const unknown = ['index', ...pages].flatMap((page) =>
    [...read(lang, page).matchAll(/\*\*([^*]+)\*\*/g)]
      .map(([, term = '']) => term.replaceAll(/\s+/g, ' '))
      .filter((term) => !interfaceLabels.has(term) && !EXCEPTIONS.has(term))
      .map((term) => `${page}: ${term}`),
  )
  expect(unknown).toEqual([])
})

it('shows the same pictures in both languages, and all of them', () => {
  const pictures = (lang: string) =>
    pages.flatMap((page) =>
      [...read(lang, page).matchAll(/!\[[^\]]+\]\(\.\.\/pictures\/(\w+)\/([\w-]+\.webp)\)/g)].map(([, pictureLang, name]) => [
        pictureLang,
        name,
      ]),
    )
  for (const lang of languages) {
    expect(pictures(lang).filter(([pictureLang]) => pictureLang !== lang)).toEqual([])
    expect(
      pictures(lang)
        .map(([, name]) => name)
        .sort(),
    ).toEqual(readdirSync(join(handbook, 'pictures', lang)).sort())
  }
  expect(pictures('de').map(([, name]) => name)).toEqual(pictures('en').map(([, name]) => name))
})

it('has a page for every screen', () => {
  const without = (routes: readonly RouteObject[], above: unknown, base: string): string[] =>
    routes.flatMap(({ path = '', handle = above, children }) => {
      const at = path ? `${base}/${path}` : base
      return children ? without(children, handle, at) : pages.includes(handle) ? [] : [at]
    })
  expect(without([...routes, ...area], undefined, '')).toEqual(['/*'])
})
