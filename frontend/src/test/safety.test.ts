import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'

// rules of this project that no linter checks
const root = join(import.meta.dirname, '../..')
const walk = (dir: string): string[] =>
  readdirSync(dir).flatMap((name) => {
    const path = join(dir, name)
    return statSync(path).isDirectory() ? walk(path) : [path]
  })
const sources = walk(join(root, 'src'))
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('schema.ts'))
  .map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }))
const offenders = (rule: RegExp, where: (path: string) => boolean) =>
  sources.filter(({ path, text }) => where(path) && rule.test(text)).map(({ path }) => path)
const product = (path: string) => !/\.test\.tsx?$|^src\/(test|mocks)\//.test(path)

it('calls the network only from src/api', () => {
  expect(offenders(/\bfetch\(|XMLHttpRequest|axios/, (path) => product(path) && !path.startsWith('src/api/'))).toEqual([])
})

it('touches local storage only through lib/storage', () => {
  expect(offenders(/\b(local|session)Storage\b/, (path) => product(path) && path !== 'src/lib/storage.ts')).toEqual([])
})

it('does not import mocks and test helpers into the product', () => {
  expect(offenders(/from '(~|\.\.?)\/(.*\/)?(mocks|test)\//, product)).toEqual([])
})

it('has no literal texts in components', () => {
  // a German letter outside of comments
  expect(offenders(/^(?!\s*(\*|\/\/|\/\*)).*[äöüÄÖÜß]/m, (path) => product(path) && path.endsWith('.tsx'))).toEqual([])
  // a literal word between tags instead of an expression
  expect(offenders(/>\s*[A-Z][a-z]{2,}[^<>{}=;()]*<\//, (path) => product(path) && path.endsWith('.tsx'))).toEqual([])
})

it('loads chunks only by functions that handle a missing chunk', () => {
  expect(offenders(/\blazy\(/, (path) => product(path) && path !== 'src/kit/ui/lazy-with-texts.ts')).toEqual([])
})

it('never sets HTML', () => {
  expect(offenders(/dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML/, product)).toEqual([])
})

it('has no barrel files', () => {
  expect(sources.filter(({ path }) => /\/index\.tsx?$/.test(path)).map(({ path }) => path)).toEqual([])
})

it('has only known files in the public folder', () => {
  expect(readdirSync(join(root, 'public')).sort()).toEqual(['favicon.ico', 'favicon.svg', 'theme-init.js'])
})

it('pins every dependency', () => {
  for (const file of ['package.json', 'tools/openapi/package.json']) {
    const pack = JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, Record<string, string> | undefined>
    const versions = Object.values({ ...pack.dependencies, ...pack.devDependencies })
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/.test(version))).toEqual([])
  }
})

it('locks no registry address', () => {
  expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved": "https?:/)
})
