import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  auditRecordValues as auditedRecords,
  dimensionValues,
  importStatusValues,
  importTypeValues,
  resourceValues,
  shapeValues,
  unitCategoryValues,
} from '~/api/schema'
import { resources } from '~/app/resources'
import { partnerList } from '~/features/pricing/partners/api'
import { pricesSpec } from '~/features/pricing/price-lists/prices-api'
import { areas, singles, VERBS } from '~/features/shared/permissions/areas'
import type { Resource } from '~/kit/records/resource'

const dir = (lang: string) => join(import.meta.dirname, lang)
const names = readdirSync(dir('de'))

function flat(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(value as object).flatMap(([key, inner]) => flat(inner, path ? `${path}.${key}` : key))
}
const read = (lang: string, name: string) => new Map(flat(JSON.parse(readFileSync(join(dir(lang), name), 'utf8'))))
const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1]).sort()

it('both languages have the same files', () => {
  expect(readdirSync(dir('en'))).toEqual(names)
})

describe.each(names)('%s', (name) => {
  const de = read('de', name)
  const en = read('en', name)

  it('has the same keys in both languages', () => {
    expect([...en.keys()].sort()).toEqual([...de.keys()].sort())
  })

  it('has no empty text', () => {
    expect([...de, ...en].filter(([, text]) => text.trim() === '')).toEqual([])
  })

  it('uses the same placeholders in both languages', () => {
    for (const [key, text] of de) expect([key, ...placeholders(en.get(key) ?? '')]).toEqual([key, ...placeholders(text)])
  })

  it('has both plural forms', () => {
    for (const key of de.keys()) {
      if (key.endsWith('_one')) expect(de.has(key.replace(/_one$/, '_other'))).toBe(true)
      if (key.endsWith('_other')) expect(de.has(key.replace(/_other$/, '_one'))).toBe(true)
    }
  })

  it('addresses people formally in German', () => {
    for (const [key, text] of de) expect([key, /\b(du|dein|deine|deinen|dich|dir|euch|euer)\b/i.test(text)]).toEqual([key, false])
  })

  it('has a name and titles for a resource', () => {
    // read-only resources have nothing but a list
    if (!de.has('title.new') && !de.has('actions.new')) return
    for (const key of ['title.one', 'title.list', 'title.new', 'title.edit', 'actions.new', 'empty.title', 'empty.body']) {
      expect([key, de.has(key)]).toEqual([key, true])
    }
  })
})

// a value that the contract adds needs a label before it reaches a screen
it.each([
  ['articleTypes.json', 'enums.section', shapeValues],
  ['articleTypes.json', 'enums.dimension', dimensionValues],
  ['attributes.json', 'enums.unit_category', unitCategoryValues],
  ['shell.json', 'imports.status', importStatusValues],
  ['shell.json', 'imports.types', importTypeValues],
  [
    'permissions.json',
    'areas',
    areas
      .map(({ area }) => area)
      .filter((area) => (resources as readonly Resource[]).every(({ rights, sharesPermissions }) => rights !== area || sharesPermissions)),
  ],
  ['permissions.json', 'verbs', VERBS],
  ['permissions.json', 'singles', singles.map((permission) => permission.replace('.', '-'))],
] as const)('%s labels every %s', (file, path, values) => {
  const texts = read('de', file)
  for (const value of values) expect([value, texts.has(`${path}.${value}`)]).toEqual([value, true])
})

// lists that are no resources, and those of the resources
const lists = [
  ['partners', async () => partnerList],
  ['priceListPrices', async () => ({ spec: pricesSpec })],
  ...resources.map(({ ns, api }) => [ns, api] as const),
] as const

it.each(lists)('%s labels the filters of its list', async (ns, api) => {
  const { filters, search } = (await api()).spec
  const texts = read('de', `${ns}.json`)
  const requiredKeys = Object.entries(filters).flatMap(([field, filter]) => [
    // a search without a field of its own needs only the label of the list's search field
    ...(filter.kind === 'search' && field !== search ? [] : [`fields.${field}`]),
    ...(filter.kind === 'enum' && !filter.Text ? filter.values.map((value) => `enums.${field}.${value}`) : []),
  ])
  expect(requiredKeys.filter((key) => !texts.has(key))).toEqual([])
})

describe.each(['de', 'en'])('names: %s', (lang) => {
  it.each(resources.map(({ ns }) => ns))('%s has synonyms', (ns) => {
    expect(read(lang, `${ns}.json`).has('title.also')).toBe(true)
  })

  it.each(resources.filter(({ form }) => form).map(({ ns }) => ns))('%s has the name of a record in its titles', (ns) => {
    const texts = read(lang, `${ns}.json`)
    expect(texts.get('title.edit')?.toLowerCase()).toContain(texts.get('title.one')?.toLowerCase())
  })

  it.each(auditedRecords)('the history has a word for %s', (record) => {
    const ns = resources.find((resource) => resource.record === record)?.ns
    expect(ns ? read(lang, `${ns}.json`).has('title.one') : read(lang, 'audit.json').has(`enums.record.${record}`)).toBe(true)
  })

  it.each(resourceValues)('the usage of a record has a word for %s', (wire) => {
    const ns = wire.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    expect(names.includes(`${ns}.json`) || read(lang, 'usage.json').has(`records.${wire}_other`)).toBe(true)
  })
})

describe.each(['de', 'en'])('the history uses the words of the screens: %s', (lang) => {
  const historyTexts = read(lang, 'audit.json')

  it.each([
    ['short_code', 'tradeDimensions.json', 'fields.clusters_short_code'],
    ['calculation_value', 'tradeDimensions.json', 'fields.clusters_calculation_value'],
    ['display_value', 'attributes.json', 'fields.options_display_value'],
  ] as const)('%s', (column, file, path) => {
    expect(historyTexts.get(`columns.${column}`)).toBe(read(lang, file).get(path))
  })
})
