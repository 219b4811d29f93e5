import * as z from 'zod/mini'
import { compareDecimals, DIGITS, fits, isDecimal } from '~/lib/decimal'
import { parseClockTime, parseDuration } from '~/lib/duration'
import { fold } from '~/lib/fold'

// zod's probe for `new Function` would violate the content security policy
z.config({
  jitless: true,
  customError: (issue) => (issue.code === 'invalid_type' && issue.input === undefined ? 'required' : 'invalid'),
})

/**
 * Encodes a message: a key of `validation`, or `<namespace>:<key>`, with its parameters. It is translated
 * when it is shown, in the language of that moment.
 */
export function code(key: string, params: Record<string, string | number> = {}): string {
  const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)])).toString()
  return query ? `${key}?${query}` : key
}

type Shape<B> = { [K in keyof B]-?: z.ZodMiniType<B[K]> }

/** Object schema with exactly the keys of a request body: a missing or surplus key does not compile. */
export const bodySchema =
  <B>() =>
  <S extends Shape<B>>(shape: S & { [K in Exclude<keyof S, keyof B>]: never }) =>
    z.object(shape as S)

const DEFAULT_MAX = 255

export const text = (max = DEFAULT_MAX) =>
  z.pipe(
    z.string(),
    z.pipe(
      z.transform((value: string) => value.trim()),
      z.string().check(z.minLength(1, 'required'), z.maxLength(max, code('maxChars', { max }))),
    ),
  )

/** Violation of a rule across fields, reported at one of them. */
export interface Issue {
  path: (string | number)[]
  message: string
}

/**
 * Finds texts that occur more than once in a list of rows, ignoring case; empty ones are left to other
 * rules.
 */
export function duplicates<K extends string>(rows: readonly Record<K, string>[], list: string, key: K): Issue[] {
  const texts = new Set<string>()
  return rows.flatMap((row, at) => {
    const text = fold(row[key])
    if (text === '' || !texts.has(text)) {
      texts.add(text)
      return []
    }
    return [{ path: [list, at, key], message: 'duplicate' }]
  })
}

/** Text of letters without umlauts, digits and `- _ . ,`. */
export const shortCode = () => text().check(z.refine((value) => /^[A-Za-z0-9\-_.,]*$/.test(value), 'shortCode'))

type Rule = { test: Pick<RegExp, 'test'>; code: string }

/** Rejects invisible characters and those that separate addresses. */
const EMAIL_CHARACTERS: Rule = { test: /^[^\p{Default_Ignorable_Code_Point}\p{Cf}\u2800<>()[\]\\,;:"]*$/u, code: 'emailCharacters' }

/** Limits the part before the @ to 64 characters. */
const EMAIL_NAME: Rule = { test: /^(?!.{65,}@)/u, code: code('emailName', { max: 64 }) }

/** Requires text before a single @, a domain with a dot behind it, and no white space. */
const EMAIL_FORM: Rule = { test: /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/, code: 'email' }

const EMAIL = [EMAIL_CHARACTERS, EMAIL_NAME, EMAIL_FORM] as const

/**
 * Validates an e-mail address and reports the first rule that it breaks, like the server. Empty text is left
 * to other rules.
 */
export function emailAddress({ value, issues }: z.core.ParsePayload<string>) {
  const violatedRule = value === '' ? undefined : EMAIL.find(({ test }) => !test.test(value))
  if (violatedRule) issues.push({ code: 'custom', input: value, path: [], message: violatedRule.code })
}

interface TextRule {
  max?: number
  rule?: Rule
  check?: (payload: z.core.ParsePayload<string>) => void
}

/** Text; empty becomes null. */
export const nullableText = ({ max = DEFAULT_MAX, rule, check }: TextRule = {}) =>
  z.pipe(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((value: string) => value.trim()),
      ),
      z.string().check(
        z.maxLength(max, code('maxChars', { max })),
        z.refine((value) => value === '' || !rule || rule.test.test(value), rule?.code ?? 'invalid'),
        ...(check ? [check] : []),
      ),
    ),
    z.transform((value: string) => (value === '' ? null : value)),
  )

interface DecimalRule {
  before?: number
  after?: number
  /** Exclusive lower bound. */
  above?: number
  min?: number
  /** Message for a text that is no number; fields with a unit replace `decimal` by one for their unit. */
  invalid?: 'decimal' | 'amount'
}

function decimalText({ before = DIGITS.before, after = DIGITS.after, above, min, invalid = 'decimal' }: DecimalRule) {
  const wholeMessage = after === 0 ? code('whole', { before }) : null
  return z.string().check(
    z.refine((value) => value === '' || isDecimal(value), wholeMessage ?? invalid),
    z.refine((value) => !isDecimal(value) || fits(value, { before, after }), wholeMessage ?? code('digits', { before, after })),
    z.refine(
      (value) => above === undefined || !isDecimal(value) || compareDecimals(value, String(above)) > 0,
      code('greaterThan', { min: above ?? 0 }),
    ),
    z.refine(
      (value) => min === undefined || !isDecimal(value) || compareDecimals(value, String(min)) >= 0,
      code('notLess', { min: min ?? 0 }),
    ),
  )
}

/**
 * Canonical decimal as the fields of the kit return it; a typed text that is no number is rejected. Empty
 * becomes null.
 */
export const nullableDecimal = (rule: DecimalRule = {}) =>
  z.pipe(
    decimalText(rule),
    z.transform((value: string) => (value === '' ? null : value)),
  )

/** Whole number; empty becomes null. */
export const nullableWhole = (rule: DecimalRule = {}) =>
  z.pipe(
    decimalText({ ...rule, after: 0 }),
    z.transform((value: string) => (value === '' ? null : Number(value))),
  )

export const decimal = (rule: DecimalRule = {}) => decimalText(rule).check(z.minLength(1, 'required'))

/** Duration in whole minutes, as people type it. */
export const duration = () =>
  z.pipe(
    z.string().check(
      z.minLength(1, 'required'),
      z.refine((value) => value === '' || parseDuration(value) !== null, 'duration'),
    ),
    z.transform((value: string) => parseDuration(value) ?? 0),
  )

/** Time of day, HH:mm; empty becomes null. */
export const clockTime = () => nullableText({ rule: CLOCK_TIME })

const CLOCK_TIME = { test: { test: (value: string) => parseClockTime(value) !== null }, code: 'clockTime' }

/** Choice from fixed values; empty becomes null. */
export const nullableEnum = <const V extends readonly string[]>(values: V) =>
  z.pipe(
    z.union([z.literal(''), z.enum(values as unknown as [V[number], ...V[number][]])]),
    z.transform((value) => (value === '' ? null : (value as V[number]))),
  )

export const choice = <const V extends readonly string[]>(values: V) => z.enum(values as unknown as [V[number], ...V[number][]], 'required')

/** Id that a select stores as text. */
export const choiceId = () =>
  z.pipe(
    z.string().check(z.regex(/^\d+$/, 'required')),
    z.transform((value) => Number(value)),
  )

/** Id of a picked record. */
export const ref = () =>
  z.pipe(
    z.nullable(z.number()).check(z.refine((value) => value !== null, 'required')),
    z.transform((value) => value as number),
  )

export const nullableRef = () => z.nullable(z.number())

export { z }
