import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ZodMiniType } from 'zod/mini'

/** Reads the cases that the server's tests use too. */
export function readRules<T>(file: string): T {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../../testdata/rules', file), 'utf8')) as T
}

interface Inputs {
  cases: { input: Record<string, unknown>; errors: Record<string, string[]> }[]
}

/** Error keys of forms by the server's error codes. */
const KEYS: Readonly<Record<string, RegExp>> = {
  required: /^required$/,
  too_long: /^maxChars/,
  too_few: /^atLeast/,
  option_required: /^atLeast/,
  unit_category_required: /^required$/,
  not_greater: /^greaterThan/,
  invalid_decimal: /^(digits|decimal)/,
  not_whole: /^whole/,
  invalid_material_number: /^materialNumber$/,
  invalid_duration: /^duration$/,
  invalid_clock_time: /^clockTime$/,
  duplicate: /^duplicate$/,
  invalid_email: /^email$/,
  email_characters: /^emailCharacters$/,
  email_name_too_long: /^emailName/,
  remote_path_invalid: /:rules.path$/,
  invalid_element_name: /:rules.element$/,
  file_pattern_character: /:rules.fileName$/,
  transformer_prices_only: /:rules.pricesOnly$/,
  invalid_short_code: /^shortCode$/,
  range_reversed: /:rules.rangeReversed$/,
  range_gap: /:rules.rangeGap/,
  range_overlap: /:rules.rangeOverlap/,
  matching_empty: /:rules.empty$/,
  open_below: /:rules.openBelow$/,
  open_above: /:rules.openAbove$/,
  coordinate_missing: /:rules.bothCoordinates$/,
  too_big: /:rules.(latitude|longitude)$|:rules.atMost/,
  too_small: /:rules.(latitude|longitude)$|^notLess/,
  same_node: /:rules.sameNode$/,
  travel_takes_time: /:rules.travelTakesTime$/,
  too_many: /^atMost/,
  exceptions_contradict: /:rules.exceptionsContradict$/,
  day_dropped: /:rules.dayDropped$/,
  invalid_year: /^date$|:rules.year$/,
}

/** Converts a value to form input: `{"repeat": 3}` is "xxx", null is an empty text. */
function toFormValue(value: unknown): unknown {
  if (value === null) return ''
  if (typeof value !== 'object') return value
  const { repeat } = value as { repeat?: number }
  return repeat === undefined ? value : 'x'.repeat(repeat)
}

/**
 * Tests that a form rejects the same input as the server, at the same fields, except for codes left to the
 * server.
 */
export function itKeepsRules<Form extends object>(
  file: string,
  schema: ZodMiniType,
  form: (input: Record<string, unknown>) => Form,
  ignoredCodes: readonly string[],
): void {
  const cases = readRules<Inputs>(file).cases.map(({ input, errors }) => [JSON.stringify(input).slice(0, 120), input, errors] as const)
  it.each(cases)('%s', (_text, input, errors) => {
    const filled = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, toFormValue(value)]))
    const issues = schema.safeParse(form(filled)).error?.issues ?? []
    const expected = Object.entries(errors).flatMap(([path, codes]) =>
      codes.filter((code) => !ignoredCodes.includes(code)).map((code) => [path, code]),
    )
    expect(issues.map(({ path }) => path.join('.')).sort()).toEqual(expected.map(([path]) => path).sort())
    for (const [path = '', code = ''] of expected) {
      const messages = issues.filter((issue) => issue.path.join('.') === path).map((issue) => issue.message)
      expect([code, messages.some((message) => KEYS[code]?.test(message))]).toEqual([code, true])
    }
  })
}
