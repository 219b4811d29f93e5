import type { Lang } from './lang'

/** Without zeros that say nothing: `850.000000` on the wire is 850. */
export function shortestDecimal(value: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d*)\.?(\d*)$/.exec(value) ?? []
  return canonical(sign, whole, fraction)
}

function canonical(sign: string, whole: string, fraction: string): string {
  const left = whole.replace(/^0+(?=\d)/, '') || '0'
  const right = fraction.replace(/0+$/, '')
  const value = right ? `${left}.${right}` : left
  return value === '0' ? value : sign + value
}

const LOCALE: Record<Lang, string> = { de: 'de-DE', en: 'en-GB' }

/** Formats a decimal string exactly; no binary floats on the way. */
export function formatDecimal(value: string | number, lang: Lang, fraction = 6, grouping = true, least = 0): string {
  const format = new Intl.NumberFormat(LOCALE[lang], {
    minimumFractionDigits: least,
    maximumFractionDigits: fraction,
    useGrouping: grouping,
  })
  return format.format(value as `${number}`)
}

/** Formats a decimal for a column: in figures of one width, with blanks for missing places, the points stand below each other. */
export function formatAligned(value: string | number, lang: Lang, fraction: number): string {
  const text = formatDecimal(value, lang, fraction)
  const [, places = ''] = text.split(lang === 'de' ? ',' : '.')
  return `${text}${places ? '' : '\u2008'}${'\u2007'.repeat(fraction - places.length)}`
}

/** As on the wire. */
export const isDecimal = (text: string) => /^-?\d+(\.\d+)?$/.test(text)

/** So many digits stand behind the point. */
const places = (value: string) => value.split('.')[1]?.length ?? 0
/** Without its point, as if so many digits stood behind it. */
const whole = (value: string, fraction: number) => BigInt(value.replace('.', '') + '0'.repeat(fraction - places(value)))

/**
 * As the numbers follow each other: below, at or above 0. Exact, as is all that is said of decimals here.
 * NaN, which is none of that, where a text is no decimal: rules across fields also see what the fields themselves refuse.
 */
export function compareDecimals(a: string, b: string): number {
  if (!isDecimal(a) || !isDecimal(b)) return Number.NaN
  const fraction = Math.max(places(a), places(b))
  const difference = whole(a, fraction) - whole(b, fraction)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** One decimal times another. */
export function product(a: string, b: string): string {
  const fraction = places(a) + places(b)
  const digits = whole(a, places(a)) * whole(b, places(b))
  const [sign, text] = digits < 0n ? (['-', String(-digits)] as const) : (['', String(digits)] as const)
  const padded = text.padStart(fraction + 1, '0')
  return canonical(sign, padded.slice(0, padded.length - fraction), padded.slice(padded.length - fraction))
}

interface Digits {
  before: number
  after: number
}

/** What the server takes anywhere; many fields take less. */
export const DIGITS: Digits = { before: 12, after: 6 }

/** Whether a canonical decimal has no more digits than these, before and after the point. */
export function fits(value: string, { before, after }: Digits): boolean {
  const [whole = '', fraction = ''] = value.replace(/^-/, '').split('.')
  return whole.replace(/^0+/, '').length <= before && fraction.length <= after
}

/** A file's size as a person reads it. */
export function formatBytes(bytes: number, lang: Lang): string {
  const [unit, size] = bytes < 1024 ** 2 ? (['KB', 1024] as const) : (['MB', 1024 ** 2] as const)
  return `${formatDecimal(Math.max(bytes / size, 0.1).toFixed(1), lang, 1)} ${unit}`
}
