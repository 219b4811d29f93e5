/**
 * The one reader of what people type and paste: numbers, prices with their unit, quantities with their unit.
 * The twin of the server's kernel/src/reader: both pass testdata/rules/decimal.json and reader.json, and agree on the
 * 10,000 spellings of spellings.tsv.
 */

import { shortestDecimal } from './decimal'
import { fold } from './fold'
import type { Lang } from './lang'

/** A number that was read, as on the wire ("1234.5"). */
export interface NumberReading {
  value: string
  /** The only sign was read as grouping, and another reader would take it for the decimal sign: `1.234` in German. */
  isDoubtful: boolean
}

/** A price that was read, and what it is for as far as the text says so. */
export interface PriceReading<U extends string = string> {
  amount: NumberReading
  /** `100` of `92,50 €/100 kg`. */
  priceQuantity: NumberReading | null
  /** With it a price without a quantity is for one. */
  unit: U | null
}

/** A quantity that was read, and its unit as far as the text says it. */
export interface QuantityReading<U extends string = string> {
  amount: NumberReading
  unit: U | null
}

/** A unit, and what people also write for it. */
export interface NamedUnit<U extends string = string> {
  value: U
  label: string
  names?: readonly string[]
}

const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** Without what nobody sees. */
export const visible = (text: string) => text.replace(INVISIBLE, '').trim()

/** Spaces and apostrophes group digits, the unbreakable and narrow ones among them. */
const SPACES = /[ \u00a0\u2009\u202f'’]/

const isDigits = (text: string | undefined) => text !== undefined && /^[0-9]+$/.test(text)

/** Digits, grouped by threes or not at all; always by the same sign. */
function ungrouped(text: string, grouping: string | undefined): string | null {
  const groups = grouping === undefined ? [text] : text.split(grouping)
  const [first = '', ...rest] = groups
  const byThrees = rest.length === 0 || (first.length <= 3 && !first.startsWith('0') && rest.every((group) => group.length === 3))
  return byThrees && groups.every(isDigits) ? groups.join('') : null
}

/** The number that a text is, of any number of digits; null when it is none. */
export function readNumber(input: string, lang: Lang): NumberReading | null {
  const text = visible(input)
  const [sign, unsigned] = /^[-\u2212]/.test(text) ? ['-', text.slice(1)] : ['', text.replace(/^\+/, '')]
  const read = readUnsigned(unsigned, lang === 'de' ? ',' : '.')
  return read && { ...read, value: shortestDecimal(sign + read.value) }
}

function readUnsigned(text: string, point: string): NumberReading | null {
  const at = Math.max(text.lastIndexOf(','), text.lastIndexOf('.'))
  const certain = (value: string | null) => (value === null ? null : { value, isDoubtful: false })
  if (at < 0) return certain(ungrouped(text, SPACES.exec(text)?.[0]))
  const [before, mark, behind] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)]
  if (!isDigits(behind)) return null
  if (before === '') return certain(`0.${behind}`)
  // the same sign again: all of them group
  if (before.includes(mark)) return certain(ungrouped(text, mark))
  const other = /[.,]/.exec(before)?.[0]
  const whole = ungrouped(before, other ?? SPACES.exec(before)?.[0])
  if (whole === null) return null
  // a group never begins with a zero: 0.925 is no nine hundred
  const couldGroup = /^[1-9][0-9]{0,2}$/.test(before) && behind.length === 3
  return couldGroup && mark !== point ? { value: whole + behind, isDoubtful: true } : certain(`${whole}.${behind}`)
}

/** The words between an amount and what it is for; so does a slash. */
const BASIS = /^([^/]*?)\s*\/\s*(.*)$|^(.*?)\s+(?:je|pro|per)(?:\s+(.*))?$/is

/** The installation's currency before or behind an amount. */
const CURRENCY = /^(?:€|euro|eur)\s*|\s*(?:€|euro|eur)$/i

/** The comma and dash behind a round amount: `840,-`. The comma is the decimal sign then, in either language. */
const ROUND = /,(?:--|-|–)$/

/** The number of an amount with its currency or without it. */
function readAmount(text: string, lang: Lang): NumberReading | null {
  const bare = text.replace(CURRENCY, '')
  if (!ROUND.test(bare)) return readNumber(bare, lang)
  const whole = bare.replace(ROUND, '')
  const read = whole.includes(',') ? null : readNumber(whole, 'de')
  return read && { ...read, isDoubtful: false }
}

/** `12,1 m` as `12,1` and `m`. */
function splitUnit(text: string): readonly [number: string, unit: string] {
  const at = text.search(/\p{Alphabetic}/u)
  return at < 0 ? [text, ''] : [text.slice(0, at).trimEnd(), text.slice(at)]
}

/** The unit of a spelling, whatever its case, umlauts, dots and white space. */
function unitNamed<U extends string>(text: string, units: readonly NamedUnit<U>[]): U | null {
  const wanted = fold(text.trim().replace(/\.+$/, ''))
  const found = units.find(({ value, label, names = [] }) => [value, label, ...names].some((name) => fold(name) === wanted))
  return wanted === '' ? null : (found?.value ?? null)
}

/** The spellings of 100 kg, the DTN of UN/ECE Recommendation 20. */
const DECITONNE = ['dt', 'dtn', 'dezitonne', 'decitonne']

/** The unit of a spelling, and how many of it the spelling stands for. */
function multipleNamed<U extends string>(text: string, units: readonly NamedUnit<U>[]): { times: number; unit: U } | null {
  const named = unitNamed(text, units)
  if (named !== null) return { times: 1, unit: named }
  const kilogram = DECITONNE.includes(fold(text.trim().replace(/\.+$/, ''))) ? unitNamed('kg', units) : null
  return kilogram && { times: 100, unit: kilogram }
}

/** A number a hundred times as large, or as it is. */
function scaled(number: NumberReading, times: number): NumberReading {
  if (times === 1) return number
  const [, sign = '', whole = '', behind = ''] = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(number.value) ?? []
  const digits = behind.padEnd(2, '0')
  const value = `${sign}${whole}${digits.slice(0, 2)}.${digits.slice(2) || '0'}`
  return { ...number, value: shortestDecimal(value) }
}

/** The price that a text is: an amount, with the currency or without it, and what it is for; null when it is none. */
export function readPrice<U extends string>(input: string, lang: Lang, units: readonly NamedUnit<U>[]): PriceReading<U> | null {
  const text = visible(input)
  const [, beforeSlash, behindSlash, beforeWord, behindWord] = BASIS.exec(text) ?? []
  const basis = beforeSlash !== undefined ? behindSlash : beforeWord !== undefined ? (behindWord ?? '') : undefined
  const amount = readAmount(beforeSlash ?? beforeWord ?? text, lang)
  if (amount === null || basis === undefined) return amount && { amount, priceQuantity: null, unit: null }
  const [number, name] = splitUnit(basis)
  const named = multipleNamed(name, units)
  const quantity = number === '' ? (named?.times === 100 ? readNumber('1', lang) : null) : readNumber(number, lang)
  if (named === null || (number !== '' && quantity === null)) return null
  return { amount, priceQuantity: quantity && scaled(quantity, named.times), unit: named.unit }
}

/** The quantity that a text is, with its unit or without it; null when it is none. */
export function readQuantity<U extends string>(input: string, lang: Lang, units: readonly NamedUnit<U>[]): QuantityReading<U> | null {
  const text = visible(input)
  const [number, name] = splitUnit(text)
  const amount = readNumber(name === '' ? text : number, lang)
  if (amount === null || name === '') return amount && { amount, unit: null }
  const named = multipleNamed(name, units)
  return named && { amount: scaled(amount, named.times), unit: named.unit }
}
