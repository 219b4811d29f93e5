import type { ReactNode } from 'react'
import { DIGITS, fits, formatDecimal, isDecimal, shortestDecimal } from '~/lib/decimal'
import { fold } from '~/lib/fold'
import type { Lang } from '~/lib/lang'
import { type NumberReading, readNumber } from '~/lib/reader'
import { sumDecimals } from '~/lib/sum'

/**
 * Result of parsing. `error` is a message as in forms: a key of `validation` with its parameters.
 * `isDoubtful` marks an ambiguous text such as `1.234`.
 */
export type Parsed = { value: string; isDoubtful?: boolean } | { error: string }

export interface ColumnOption {
  value: string
  label: string
  /** Further spellings that are accepted. */
  names?: readonly string[]
}

/**
 * Column of a sheet. Values are texts as in the API ("1234.5"), empty for no value. Without `parse` the
 * column is read only.
 */
export interface SheetColumn<R> {
  id: string
  header: string
  /** Width in pixels. */
  width: number
  align?: 'end'
  /** Keeps the column in view while the others scroll; for the first columns only. */
  sticky?: boolean
  value: (row: R) => string
  /** Text for display. */
  show: (value: string, lang: Lang) => string
  /** Text for editing and copying. */
  text: (value: string, lang: Lang) => string
  parse?: (text: string, lang: Lang) => Parsed
  /**
   * Splits a text that covers several columns: the text for each, by column id; null if it belongs to this
   * column alone.
   */
  splitText?: (text: string, lang: Lang) => Readonly<Record<string, string>> | null
  /** Opens the editor of a content that is edited outside the sheet. */
  open?: (row: R) => void
  /** True if the row has something to open; all rows by default. */
  canOpen?: (row: R) => boolean
  /** True if the cell of this row cannot be changed. */
  locked?: (row: R) => boolean
  choices?: readonly ColumnOption[]
  /** Name of a group of columns that are one value together, such as a price with its quantity and unit. */
  group?: string
  /** True if the status bar adds up the selected values. */
  sum?: boolean
  /** Value derived from other cells of the row; `current` returns the current value of a column. */
  derived?: (row: R, current: (column: string) => string) => string
  /** Content instead of the text of `show`; `current` returns the current value of another column. */
  cell?: (row: R, value: string, current: (column: string) => string) => ReactNode
}

/** Returns the function that opens the cell of a row, if there is one. */
export const opener = <R>({ open, canOpen }: Pick<SheetColumn<R>, 'open' | 'canOpen'>, row: R): (() => void) | undefined =>
  open && (canOpen?.(row) ?? true) ? () => open(row) : undefined

type Common<R> = Pick<SheetColumn<R>, 'id' | 'header' | 'width' | 'sticky' | 'locked' | 'splitText' | 'cell' | 'group'>

const identity = (value: string) => value

/** Read-only column of texts. */
export const textColumn = <R>(
  column: Pick<SheetColumn<R>, 'id' | 'header' | 'width' | 'align' | 'sticky' | 'cell' | 'value' | 'open' | 'canOpen' | 'derived'>,
): SheetColumn<R> => ({
  ...column,
  show: identity,
  text: identity,
})

interface DecimalOptions<R> extends Common<R> {
  value: (row: R) => string | null
  required?: boolean
  before?: number
  after?: number
  min?: number
  /** Exclusive lower bound. */
  above?: number
  /** Minimum number of decimal places shown. */
  places?: number
  /** Parser for cells that accept more than a number, such as a currency. */
  read?: (text: string, lang: Lang) => NumberReading | null
  /** Error key for a text that is no number. */
  invalid?: 'decimal' | 'amount'
  readOnly?: boolean
  sum?: boolean
}

/** Decimal places shown. More than any cell accepts, so that a value with too many is shown in full. */
const ALL = 20

/** Text of a number for a cell; an ambiguous one stays in the notation in which it was written. */
export const cellText = ({ value, isDoubtful }: NumberReading, lang: Lang) => formatDecimal(value, lang, ALL, isDoubtful)

/** Unambiguous text of a number, which shows how an ambiguous one was read: `1.234,00`. */
export const readText = (value: string, lang: Lang) => formatDecimal(value, lang, ALL, true, 2)

const negated = (value: string) => (value.startsWith('-') ? value.slice(1) : `-${value}`)
const isBelow = (value: string, limit: string) => sumDecimals([value, negated(limit)]).startsWith('-')

export function decimalColumn<R>({ value, required, places, readOnly, ...options }: DecimalOptions<R>): SheetColumn<R> {
  const { read = readNumber, invalid = 'decimal', before = DIGITS.before, after = DIGITS.after, min, above, ...column } = options
  function parse(text: string, lang: Lang): Parsed {
    if (text.trim() === '') return required ? { error: 'required' } : { value: '' }
    const reading = read(text, lang)
    if (reading === null) return { error: invalid }
    const { value: number, isDoubtful } = reading
    if (!fits(number, { before, after })) return { error: `digits?before=${before}&after=${after}` }
    if (min !== undefined && isBelow(number, String(min))) return { error: `notLess?min=${min}` }
    if (above !== undefined && !isBelow(String(above), number)) return { error: `greaterThan?min=${above}` }
    return { value: number, ...(isDoubtful && { isDoubtful }) }
  }
  const shortest = (row: R) => {
    const number = value(row) ?? ''
    return isDecimal(number) ? shortestDecimal(number) : ''
  }
  return {
    ...column,
    align: 'end',
    value: shortest,
    show: (number, lang) => (isDecimal(number) ? formatDecimal(number, lang, ALL, true, places) : number),
    text: (number, lang) => (isDecimal(number) ? formatDecimal(number, lang, ALL, false, places) : number),
    ...(!readOnly && { parse }),
  }
}

interface ChoiceOptions<R> extends Common<R> {
  value: (row: R) => string | null
  choices: readonly ColumnOption[]
  required?: boolean
}

/** Column with a few fixed values, found by their labels. */
export function choiceColumn<R>({ value, choices, required, ...column }: ChoiceOptions<R>): SheetColumn<R> {
  const label = (choiceValue: string) => choices.find((choice) => choice.value === choiceValue)?.label ?? choiceValue
  return {
    ...column,
    choices: required ? choices : [{ value: '', label: '' }, ...choices],
    value: (row) => value(row) ?? '',
    show: label,
    text: label,
    parse(input) {
      const typed = fold(input.trim())
      if (typed === '') return required ? { error: 'required' } : { value: '' }
      const choice = choices.find(({ value: one, label: name, names = [] }) => [name, one, ...names].some((text) => fold(text) === typed))
      return choice ? { value: choice.value } : { error: 'invalid' }
    },
  }
}
