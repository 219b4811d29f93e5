import type { Lang } from './lang'

/** Removes insignificant zeros: `850.000000` in the API is 850. */
export function shortestDecimal(value: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d*)\.?(\d*)$/.exec(value) ?? []
  return canonical(sign, whole, fraction)
}

function canonical(sign: string, whole: string, fraction: string): string {
  const integerDigits = whole.replace(/^0+(?=\d)/, '') || '0'
  const fractionDigits = fraction.replace(/0+$/, '')
  const value = fractionDigits ? `${integerDigits}.${fractionDigits}` : integerDigits
  return value === '0' ? value : sign + value
}

const LOCALE: Record<Lang, string> = { de: 'de-DE', en: 'en-GB' }

/** Formats a decimal string exactly, without binary floats. */
export function formatDecimal(value: string | number, lang: Lang, fraction = 6, grouping = true, minFraction = 0): string {
  const format = new Intl.NumberFormat(LOCALE[lang], {
    minimumFractionDigits: minFraction,
    maximumFractionDigits: fraction,
    useGrouping: grouping,
  })
  return format.format(value as `${number}`)
}

/**
 * Formats a decimal for a column with tabular figures: blanks for missing places align the decimal points.
 */
export function formatAligned(value: string | number, lang: Lang, fraction: number): string {
  const text = formatDecimal(value, lang, fraction)
  const [, places = ''] = text.split(lang === 'de' ? ',' : '.')
  return `${text}${places ? '' : '\u2008'}${'\u2007'.repeat(fraction - places.length)}`
}

/** True for a decimal in the format of the API. */
export const isDecimal = (text: string) => /^-?\d+(\.\d+)?$/.test(text)

/** Number of decimal places. */
const places = (value: string) => value.split('.')[1]?.length ?? 0
/** Integer value of a decimal scaled to `fraction` places. */
const toScaledInteger = (value: string, fraction: number) => BigInt(value.replace('.', '') + '0'.repeat(fraction - places(value)))

/**
 * Compares two decimals exactly: below, at or above 0. NaN if a text is no decimal, because rules across
 * fields also see invalid fields.
 */
export function compareDecimals(a: string, b: string): number {
  if (!isDecimal(a) || !isDecimal(b)) return Number.NaN
  const fraction = Math.max(places(a), places(b))
  const difference = toScaledInteger(a, fraction) - toScaledInteger(b, fraction)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** Exact product of two decimals. */
export function product(a: string, b: string): string {
  const fraction = places(a) + places(b)
  const digits = toScaledInteger(a, places(a)) * toScaledInteger(b, places(b))
  const [sign, text] = digits < 0n ? (['-', String(-digits)] as const) : (['', String(digits)] as const)
  const padded = text.padStart(fraction + 1, '0')
  return canonical(sign, padded.slice(0, padded.length - fraction), padded.slice(padded.length - fraction))
}

interface Digits {
  before: number
  after: number
}

/** Maximum digits that the server accepts anywhere; many fields accept fewer. */
export const DIGITS: Digits = { before: 12, after: 6 }

/** True if a canonical decimal has at most these digits before and after the point. */
export function fits(value: string, { before, after }: Digits): boolean {
  const [whole = '', fraction = ''] = value.replace(/^-/, '').split('.')
  return whole.replace(/^0+/, '').length <= before && fraction.length <= after
}

/** Formats the size of a file. */
export function formatBytes(bytes: number, lang: Lang): string {
  const [unit, size] = bytes < 1024 ** 2 ? (['KB', 1024] as const) : (['MB', 1024 ** 2] as const)
  return `${formatDecimal(Math.max(bytes / size, 0.1).toFixed(1), lang, 1)} ${unit}`
}
