import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

const src = join(import.meta.dirname, '..')
/** Layers of the kit; each may import those before it. */
const LAYERS = ['ui', 'form', 'table', 'records', 'shell']
/** Folders that no layer may import, with the highest layer that each may import itself. */
const CLOSED: Record<string, string> = { sheet: 'table', plot: 'ui', tree: 'ui', palette: 'ui' }
/** Files of another domain that a feature may import. */
const PUBLIC = /\/(resource|ref)\.ts$/

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /^(kit|features)\/.*\.tsx?$/.test(path) && !path.includes('.test.'))

function resolve(from: string, specifier: string): string | null {
  if (!/^(\.|~\/)/.test(specifier)) return null
  const path = specifier.startsWith('~/') ? specifier.slice(2) : normalize(join(dirname(from), specifier))
  return ['', '.ts', '.tsx'].map((ending) => path + ending).find((file) => /\.\w+$/.test(file) && existsSync(join(src, file))) ?? null
}

const imports = files.flatMap((from) => {
  const text = readFileSync(join(src, from), 'utf8')
  const specifiers = [...text.matchAll(/(?:\bfrom|\bimport\s*\(|\bimport)\s*'([^']+)'/g)]
  return specifiers.flatMap(([, specifier = '']) => {
    const to = resolve(from, specifier)
    return to ? [{ from, to }] : []
  })
})

/** Segment `at` of a path: the folder of a file of the kit, or the domain of a feature. */
const part = (path: string, at: number) => path.split('/')[at] ?? ''

function isUpward({ from, to }: { from: string; to: string }): boolean {
  if (!from.startsWith('kit/')) return false
  if (!to.startsWith('kit/')) return /^(features|app)\//.test(to)
  const [fromFolder, toFolder] = [part(from, 1), part(to, 1)]
  if (fromFolder === toFolder) return false
  const highest = LAYERS.indexOf(CLOSED[fromFolder] ?? fromFolder)
  const target = LAYERS.indexOf(toFolder)
  return highest < 0 || target < 0 || target > highest
}

function isForeign({ from, to }: { from: string; to: string }): boolean {
  if (!from.startsWith('features/')) return false
  if (!to.startsWith('features/')) return to.startsWith('app/')
  const [domain, other] = [part(from, 1), part(to, 1)]
  return domain !== other && other !== 'shared' && !PUBLIC.test(to)
}

/** True for imports by which the `shared` folder of a domain would depend on the features that use it. */
function isOfSharedRoom({ from, to }: { from: string; to: string }): boolean {
  const [, domain = '', room = ''] = from.split('/')
  if (!from.startsWith('features/') || room !== 'shared') return false
  return to.startsWith(`features/${domain}/`) && part(to, 2) !== 'shared' && !PUBLIC.test(to)
}

const importLines = (violations: { from: string; to: string }[]) => violations.map(({ from, to }) => `${from} imports ${to}`)

it('reads the imports', () => {
  expect(imports).toContainEqual({ from: 'features/catalog/materials/list.tsx', to: 'kit/records/resource-list.tsx' })
})

it('has no file of the kit outside of its folders', () => {
  const rooms = [...LAYERS, ...Object.keys(CLOSED)]
  expect(files.filter((file) => file.startsWith('kit/') && !rooms.includes(part(file, 1)))).toEqual([])
})

it('lets no folder of the kit import a higher layer', () => {
  expect(importLines(imports.filter(isUpward))).toEqual([])
})

it('lets features import only the resource and reference files of other domains', () => {
  expect(importLines(imports.filter(isForeign))).toEqual([])
})

it('lets no shared folder of a domain import the features that use it', () => {
  expect(importLines(imports.filter(isOfSharedRoom))).toEqual([])
})
