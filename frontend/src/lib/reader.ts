/**
 * Parser for typed and pasted numbers, prices with their unit, and quantities with their unit. Same rules as
 * the server's values/src/reader: both are tested with testdata/rules/decimal.json and reader.json, and
 * agree on the 10,000 spellings of spellings.tsv.
 */

import { shortestDecimal } from './decimal'
import { fold } from './fold'
import type { Lang } from './lang'

/** Parsed number, in the format of the API ("1234.5"). */
export interface NumberReading {
  value: string
  /** True if the only separator was read as grouping but could be a decimal sign: `1.234` in German. */
  isDoubtful: boolean
}

/** Parsed price, with quantity and unit if the text has them. */
export interface PriceReading<U extends string = string> {
  amount: NumberReading
  /** Quantity the price is for: `100` in `92,50 €/100 kg`. */
  priceQuantity: NumberReading | null
  /** Unit of the price; with a unit but no quantity the price is for one. */
  unit: U | null
}

/** Parsed quantity, with its unit if the text has one. */
export interface QuantityReading<U extends string = string> {
  amount: NumberReading
  unit: U | null
}

/** Unit with the spellings that are accepted. */
export interface NamedUnit<U extends string = string> {
  value: U
  label: string
  names?: readonly string[]
}

const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** Removes invisible characters. */
export const stripInvisible = (text: string) => text.replace(INVISIBLE, '').trim()

/** Spaces and apostrophes that group digits, including non-breaking and narrow ones. */
const SPACES = /[ \u00a0\u2009\u202f'’]/

const isDigits = (text: string | undefined) => text !== undefined && /^[0-9]+$/.test(text)

/** Removes grouping: digits in groups of three by one separator, or none at all; null for anything else. */
function removeGrouping(text: string, grouping: string | undefined): string | null {
  const groups = grouping === undefined ? [text] : text.split(grouping)
  const [first = '', ...rest] = groups
  const isGroupedByThrees = rest.length === 0 || (first.length <= 3 && !first.startsWith('0') && rest.every((group) => group.length === 3))
  return isGroupedByThrees && groups.every(isDigits) ? groups.join('') : null
}

/** Parses a number with any number of digits; null if it is none. */
export function readNumber(input: string, lang: Lang): NumberReading | null {
  const text = stripInvisible(input)
  const [sign, unsigned] = /^[-\u2212]/.test(text) ? ['-', text.slice(1)] : ['', text.replace(/^\+/, '')]
  const read = readUnsigned(unsigned, lang === 'de' ? ',' : '.')
  return read && { ...read, value: shortestDecimal(sign + read.value) }
}

function readUnsigned(text: string, point: string): NumberReading | null {
  const at = Math.max(text.lastIndexOf(','), text.lastIndexOf('.'))
  const certain = (value: string | null) => (value === null ? null : { value, isDoubtful: false })
  if (at < 0) return certain(removeGrouping(text, SPACES.exec(text)?.[0]))
  const [before, mark, behind] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)]
  if (!isDigits(behind)) return null
  if (before === '') return certain(`0.${behind}`)
  // a repeated separator can only be grouping
  if (before.includes(mark)) return certain(removeGrouping(text, mark))
  const other = /[.,]/.exec(before)?.[0]
  const whole = removeGrouping(before, other ?? SPACES.exec(before)?.[0])
  if (whole === null) return null
  // a group never starts with a zero: 0.925 is not 925
  const mayBeGrouping = /^[1-9][0-9]{0,2}$/.test(before) && behind.length === 3
  return mayBeGrouping && mark !== point ? { value: whole + behind, isDoubtful: true } : certain(`${whole}.${behind}`)
}

/** Separator between an amount and its basis: a slash, or the words je, pro, per. */
const BASIS = /^([^/]*?)\s*\/\s*(.*)$|^(.*?)\s+(?:je|pro|per)(?:\s+(.*))?$/is

/** Currency of the installation before or after an amount. */
const CURRENCY = /^(?:€|euro|eur)\s*|\s*(?:€|euro|eur)$/i

/** Comma and dash after a round amount: `840,-`. The comma is then the decimal sign, in either language. */
const ROUND = /,(?:--|-|–)$/

/** Parses an amount with or without its currency. */
function readAmount(text: string, lang: Lang): NumberReading | null {
  const amountText = text.replace(CURRENCY, '')
  if (!ROUND.test(amountText)) return readNumber(amountText, lang)
  const whole = amountText.replace(ROUND, '')
  const read = whole.includes(',') ? null : readNumber(whole, 'de')
  return read && { ...read, isDoubtful: false }
}

/** Splits `12,1 m` into `12,1` and `m`. */
function splitUnit(text: string): readonly [number: string, unit: string] {
  const at = text.search(/\p{Alphabetic}/u)
  return at < 0 ? [text, ''] : [text.slice(0, at).trimEnd(), text.slice(at)]
}

/** Finds a unit by its spelling, ignoring case, umlauts, dots and white space. */
function unitNamed<U extends string>(text: string, units: readonly NamedUnit<U>[]): U | null {
  const unitText = fold(text.trim().replace(/\.+$/, ''))
  const unit = units.find(({ value, label, names = [] }) => [value, label, ...names].some((name) => fold(name) === unitText))
  return unitText === '' ? null : (unit?.value ?? null)
}

/** Spellings of 100 kg, the DTN of UN/ECE Recommendation 20. */
const DECITONNE = ['dt', 'dtn', 'dezitonne', 'decitonne']

/** Finds a unit by its spelling, and the multiple that the spelling stands for. */
function multipleNamed<U extends string>(text: string, units: readonly NamedUnit<U>[]): { times: number; unit: U } | null {
  const unit = unitNamed(text, units)
  if (unit !== null) return { times: 1, unit }
  const kilogram = DECITONNE.includes(fold(text.trim().replace(/\.+$/, ''))) ? unitNamed('kg', units) : null
  return kilogram && { times: 100, unit: kilogram }
}

/** Multiplies a number by 100, or by 1. */
function scaleNumber(number: NumberReading, times: number): NumberReading {
  if (times === 1) return number
  const [, sign = '', whole = '', behind = ''] = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(number.value) ?? []
  const digits = behind.padEnd(2, '0')
  const value = `${sign}${whole}${digits.slice(0, 2)}.${digits.slice(2) || '0'}`
  return { ...number, value: shortestDecimal(value) }
}

/** Parses a price: an amount with or without currency, and its basis; null if it is none. */
export function readPrice<U extends string>(input: string, lang: Lang, units: readonly NamedUnit<U>[]): PriceReading<U> | null {
  const text = stripInvisible(input)
  const [, beforeSlash, behindSlash, beforeWord, behindWord] = BASIS.exec(text) ?? []
  const basis = beforeSlash !== undefined ? behindSlash : beforeWord !== undefined ? (behindWord ?? '') : undefined
  const amount = readAmount(beforeSlash ?? beforeWord ?? text, lang)
  if (amount === null || basis === undefined) return amount && { amount, priceQuantity: null, unit: null }
  const [number, name] = splitUnit(basis)
  const unitMultiple = multipleNamed(name, units)
  const quantity = number === '' ? (unitMultiple?.times === 100 ? readNumber('1', lang) : null) : readNumber(number, lang)
  if (unitMultiple === null || (number !== '' && quantity === null)) return null
  return { amount, priceQuantity: quantity && scaleNumber(quantity, unitMultiple.times), unit: unitMultiple.unit }
}

/** Parses a quantity with or without its unit; null if it is none. */
export function readQuantity<U extends string>(input: string, lang: Lang, units: readonly NamedUnit<U>[]): QuantityReading<U> | null {
  const text = stripInvisible(input)
  const [number, name] = splitUnit(text)
  const amount = readNumber(name === '' ? text : number, lang)
  if (amount === null || name === '') return amount && { amount, unit: null }
  const unitMultiple = multipleNamed(name, units)
  return unitMultiple && { amount: scaleNumber(amount, unitMultiple.times), unit: unitMultiple.unit }
}
