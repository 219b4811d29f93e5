import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'

/** First words of a clause, with which no doc comment opens. */
const OPENERS = new Set(
  (
    'as at because by for from how if in it no nobody none not nothing of on only since so than that there to until what ' +
    'whatever when where whether which while who whoever whom whose why with'
  ).split(' '),
)
/** Share of doc comments that may open so, in percent: some begin with "In-memory" or "No-op". */
const TOLERATED_PERCENT = 2

/** Words and phrases that no name, no comment, no test and no English text has. */
const BANNED = ['told', 'whoever', 'somebody', 'so many', 'as far as']

/** Names that several exports share, and why. */
const SHARED_NAMES = new Map<string, string>([
  ['toForm', 'the schema of each resource turns a row into the values of its form'],
  ['toCopy', 'the schema of a resource turns a row into the values of the form for a copy'],
])

/**
 * Folders whose exports may be named like those of the product: a mock has the name of the API that it stands
 * for, and a fixture that of the component that it operates.
 */
const STAND_INS = /^(?:mocks|test)\//

const root = join(import.meta.dirname, '../..')
const SKIPPED = ['node_modules', 'dist', 'schema.ts', 'words.test.ts']

/** Returns the files below a folder whose names have one of the endings, with their texts. */
function files(folder: string, endings: readonly string[]): [path: string, text: string][] {
  return readdirSync(join(root, folder))
    .filter((name) => !SKIPPED.includes(name))
    .flatMap((name): [string, string][] => {
      const path = join(folder, name)
      if (statSync(join(root, path)).isDirectory()) return files(path, endings)
      return endings.some((ending) => name.endsWith(ending)) ? [[path, readFileSync(join(root, path), 'utf8')]] : []
    })
}

const code = ['src', 'e2e', 'handbook'].flatMap((folder) => files(folder, ['.ts', '.tsx']))
const lineOf = (text: string, at: number) => text.slice(0, at).split('\n').length

it('opens doc comments with a noun or a verb', () => {
  const comments = code.flatMap(([path, text]) =>
    [...text.matchAll(/\/\*\*\s*(?:\*\s*)?(\S[^\n]*)/g)].map((match) => ({
      path,
      line: lineOf(text, match.index),
      opening: match[1] ?? '',
    })),
  )
  const clauses = comments.filter(({ opening }) => OPENERS.has(/\p{L}+/u.exec(opening)?.[0].toLowerCase() ?? ''))
  expect(comments.length).toBeGreaterThan(1000)
  const findings = clauses.map(({ path, line, opening }) => `${path}:${line} ${opening}`)
  expect(clauses.length * 100, findings.join('\n')).toBeLessThan(comments.length * TOLERATED_PERCENT)
})

it('uses no banned words', () => {
  const texts = [...code, ...files('src/i18n/en', ['.json'])]
  const findings = texts.flatMap(([path, text]) => {
    // camelCase and snake_case names are read as words
    const words = text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll('_', ' ')
    const pattern = new RegExp(`(?<!\\p{L})(?:${BANNED.join('|')})(?!\\p{L})`, 'giu')
    return [...words.matchAll(pattern)].map((match) => `${path}:${lineOf(words, match.index)} ${match[0]}`)
  })
  expect(findings).toEqual([])
})

it('gives exports unique names', () => {
  const exported = /^export (?:async )?(?:function|const|class|interface|type|enum) (\w+)/gm
  const exports = code
    .filter(([path]) => path.startsWith('src/'))
    .flatMap(([path, text]) => [...text.matchAll(exported)].map(([, name = '']) => ({ name, path: relative('src', path) })))
  const [standIns, product] = [true, false].map((isStandIn) => exports.filter(({ path }) => STAND_INS.test(path) === isStandIn))
  const shared = [standIns, product].flatMap((list = []) => {
    const pathsOf = (name: string) => list.filter((one) => one.name === name).map(({ path }) => path)
    const names = [...new Set(list.map(({ name }) => name))].filter((name) => !SHARED_NAMES.has(name))
    return names.filter((name) => pathsOf(name).length > 1).map((name) => `${name}: ${pathsOf(name).join(', ')}`)
  })
  expect(exports.length).toBeGreaterThan(1000)
  expect(shared).toEqual([])
})
