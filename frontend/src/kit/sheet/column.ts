import type { ReactNode } from 'react'
import { DIGITS, fits, formatDecimal, isDecimal, shortestDecimal } from '~/lib/decimal'
import { fold } from '~/lib/fold'
import type { Lang } from '~/lib/lang'
import { type NumberReading, readNumber } from '~/lib/reader'
import { sumDecimals } from '~/lib/sum'

/**
 * `error` is a message as forms have them: a key of `validation` with its parameters. What somebody else would read otherwise,
 * as `1.234`, is doubtful.
 */
export type Parsed = { value: string; isDoubtful?: boolean } | { error: string }

export interface Choice {
  value: string
  label: string
  /** What people also write for it. */
  names?: readonly string[]
}

/** Values are texts as on the wire ("1234.5"), empty for none. Without `parse` the column is read only. */
export interface Column<R> {
  id: string
  header: string
  /** In pixels. */
  width: number
  align?: 'end'
  /** Stays in sight when the others scroll; the first columns only. */
  sticky?: boolean
  value: (row: R) => string
  /** As it is shown. */
  show: (value: string, lang: Lang) => string
  /** As it is typed and copied. */
  text: (value: string, lang: Lang) => string
  parse?: (text: string, lang: Lang) => Parsed
  /** One text that holds what belongs into several columns: what goes into each, by its id; null when it is for this one alone. */
  spread?: (text: string, lang: Lang) => Readonly<Record<string, string>> | null
  /** What the cell holds is edited elsewhere, which this opens. */
  open?: (row: R) => void
  /** Otherwise there is something to open in each row. */
  opens?: (row: R) => boolean
  /** Cells of this row cannot be changed. */
  locked?: (row: R) => boolean
  choices?: readonly Choice[]
  /** Columns of one group are one value together, as a price with its quantity and unit. */
  group?: string
  /** The status bar adds up what is selected. */
  sum?: boolean
  /** Follows what is typed in other cells of the row: `current` is the value of a column as it stands in the sheet. */
  derived?: (row: R, current: (column: string) => string) => string
  /** Instead of what `show` says; `current` is the value of another column as it stands in the sheet. */
  cell?: (row: R, value: string, current: (column: string) => string) => ReactNode
}

/** What opens the cell of a row, if anything does. */
export const opener = <R>({ open, opens }: Pick<Column<R>, 'open' | 'opens'>, row: R): (() => void) | undefined =>
  open && (opens?.(row) ?? true) ? () => open(row) : undefined

type Common<R> = Pick<Column<R>, 'id' | 'header' | 'width' | 'sticky' | 'locked' | 'spread' | 'cell' | 'group'>

const same = (value: string) => value

/** Read only. */
export const textColumn = <R>(
  column: Pick<Column<R>, 'id' | 'header' | 'width' | 'align' | 'sticky' | 'cell' | 'value' | 'open' | 'opens' | 'derived'>,
): Column<R> => ({
  ...column,
  show: same,
  text: same,
})

interface DecimalOptions<R> extends Common<R> {
  value: (row: R) => string | null
  required?: boolean
  before?: number
  after?: number
  min?: number
  /** Strictly greater than. */
  above?: number
  /** At least so many places are shown. */
  places?: number
  /** Where more than the number may stand in a cell, as a currency. */
  read?: (text: string, lang: Lang) => NumberReading | null
  /** What is said of a text that is none. */
  invalid?: 'decimal' | 'amount'
  readOnly?: boolean
  sum?: boolean
}

/** What is refused for its digits must be seen with all of them. */
const ALL = 20

/** A number as a cell takes it: as it was written, also where that is doubtful. */
export const cellText = ({ value, isDoubtful }: NumberReading, lang: Lang) => formatDecimal(value, lang, ALL, isDoubtful)

/** A number that was read in doubt, as nobody reads it otherwise: `1.234,00`. */
export const readText = (value: string, lang: Lang) => formatDecimal(value, lang, ALL, true, 2)

const negated = (value: string) => (value.startsWith('-') ? value.slice(1) : `-${value}`)
const isBelow = (value: string, bound: string) => sumDecimals([value, negated(bound)]).startsWith('-')

export function decimalColumn<R>({ value, required, places, readOnly, ...options }: DecimalOptions<R>): Column<R> {
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
  choices: readonly Choice[]
  required?: boolean
}

/** One of few values, found by what it is called. */
export function choiceColumn<R>({ value, choices, required, ...column }: ChoiceOptions<R>): Column<R> {
  const label = (one: string) => choices.find((choice) => choice.value === one)?.label ?? one
  return {
    ...column,
    choices: required ? choices : [{ value: '', label: '' }, ...choices],
    value: (row) => value(row) ?? '',
    show: label,
    text: label,
    parse(input) {
      const typed = fold(input.trim())
      if (typed === '') return required ? { error: 'required' } : { value: '' }
      const found = choices.find(({ value: one, label: name, names = [] }) => [name, one, ...names].some((text) => fold(text) === typed))
      return found ? { value: found.value } : { error: 'invalid' }
    },
  }
}
