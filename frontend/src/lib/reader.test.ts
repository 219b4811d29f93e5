import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readRules } from '~/test/rules'
import { DIGITS, fits, formatDecimal } from './decimal'
import { parseDuration } from './duration'
import type { Lang } from './lang'
import { parseLeadTime } from './lead-time'
import { type NumberReading, readNumber, readPrice, readQuantity } from './reader'

interface Case {
  text: string
  de: string | null
  en: string | null
}

const numbers = readRules<{ cases: (Case & { doubt?: Lang })[] }>('decimal.json').cases
const amounts = readRules<{ units: Record<string, string[]>; prices: Case[]; quantities: Case[] }>('reader.json')
const units = Object.entries(amounts.units).map(([value, [label = value, ...names]]) => ({ value, label, names }))
const LANGS = ['de', 'en'] as const

/** Result in the server's notation; the server also refuses too many digits. */
function readingText(reading: NumberReading | null): string | null {
  return reading && fits(reading.value, DIGITS) ? `${reading.value}${reading.isDoubtful ? '?' : ''}` : null
}

function numberText(text: string, lang: Lang) {
  return readingText(readNumber(text, lang))
}

function priceText(text: string, lang: Lang): string | null {
  const read = readPrice(text, lang, units)
  const amount = readingText(read?.amount ?? null)
  if (!read?.unit) return amount
  const quantity = readingText(read.priceQuantity)
  return amount && (read.priceQuantity === null || quantity) ? `${amount} / ${[quantity, read.unit].filter(Boolean).join(' ')}` : null
}

function quantityText(text: string, lang: Lang): string | null {
  const read = readQuantity(text, lang, units)
  const amount = readingText(read?.amount ?? null)
  return amount && read?.unit ? `${amount} ${read.unit}` : amount
}

/** Result in minutes, the same in both languages. */
const minutesText = (read: (text: string) => number | null) => (text: string) => read(text)?.toString() ?? null

const READERS = {
  number: numberText,
  price: priceText,
  quantity: quantityText,
  duration: minutesText(parseDuration),
  lead_time: minutesText(parseLeadTime),
}

describe('the parser agrees with the server', () => {
  it.each(numbers)('$text', ({ text, de, en, doubt }) => {
    const expected = (value: string | null, lang: Lang) => value && `${value}${doubt === lang ? '?' : ''}`
    expect(LANGS.map((lang) => numberText(text, lang))).toEqual([expected(de, 'de'), expected(en, 'en')])
  })

  it.each(amounts.prices)('the price $text', ({ text, de, en }) => {
    expect(LANGS.map((lang) => priceText(text, lang))).toEqual([de, en])
  })

  it.each(amounts.quantities)('the quantity $text', ({ text, de, en }) => {
    expect(LANGS.map((lang) => quantityText(text, lang))).toEqual([de, en])
  })

  it('in 10,000 spellings', () => {
    const file = readFileSync(join(import.meta.dirname, '../../../testdata/rules/spellings.tsv'), 'utf8')
    const [, ...lines] = file.replace(/\n$/, '').split('\n')
    const read = lines.map((line) => {
      const [kind = '', text = ''] = line.split('\t')
      const reader = READERS[kind as keyof typeof READERS]
      return [kind, text, ...LANGS.map((lang) => reader(text, lang) ?? '')].join('\t')
    })
    expect(lines).toHaveLength(10_000)
    expect(read).toEqual(lines)
  })
})

it('parses the formatted values of lists', () => {
  for (const lang of LANGS)
    for (const value of ['1234', '1234567.891', '0.000001', '850', '0.925', '-12345.678'])
      expect(readNumber(formatDecimal(value, lang), lang)?.value).toBe(value)
})
