import type { ReactNode } from 'react'
import type { SurchargeTable, SurchargeValue, SurchargeValueInput } from '~/api/schema'
import type { Changes, Refusal, RowKey } from '~/kit/sheet/changes'
import { decimalColumn, type SheetColumn, textColumn } from '~/kit/sheet/column'
import type { Lang } from '~/lib/lang'
import type { Month } from '~/lib/months'
import { readPrice } from '~/lib/reader'

/** Value of a table for a month. */
interface MonthValue {
  value: string
  /** Base table that the value is taken from; null for the table's own. */
  base: string | null
}

/** Row for a material or an article type. */
export interface TableRow {
  id: number
  name: string
  months: ReadonlyMap<Month, MonthValue>
}

export type KeyName = Pick<TableRow, 'id' | 'name'>

/** Rows of all materials or article types with values, followed by those that are being added. */
export function surchargeRows(values: readonly SurchargeValue[], added: readonly KeyName[]): TableRow[] {
  const rows = new Map<number, { id: number; name: string; months: Map<Month, MonthValue> }>()
  const rowOf = ({ id, name }: KeyName) => {
    const row = rows.get(id) ?? { id, name, months: new Map<Month, MonthValue>() }
    rows.set(id, row)
    return row
  }
  for (const { material_id, article_type_id, name, month, value, base_table } of values)
    rowOf({ id: material_id ?? article_type_id ?? 0, name }).months.set(month, { value, base: base_table?.name ?? null })
  for (const key of added) rowOf(key)
  return [...rows.values()]
}

/** Returns the row's own value for a month, or an empty text. */
export function ownValue({ months }: TableRow, month: Month): string {
  const monthValue = months.get(month)
  return monthValue && monthValue.base === null ? monthValue.value : ''
}

interface Texts {
  name: string
  month: (month: Month) => string
  /** Renders the inherited value of a cell without a value of its own. */
  inherited: (row: TableRow, month: Month) => ReactNode
}

const TONNE = [{ value: 't', label: 't', names: ['to', 'Tonne'] }]

/** Parses an amount with or without the unit, which is always a tonne. */
function readPerTonne(text: string, lang: Lang) {
  const read = readPrice(text, lang, TONNE)
  return read && (read.priceQuantity?.value ?? '1') === '1' ? read.amount : null
}

export const tableColumns = (months: readonly Month[], texts: Texts, mayEdit: boolean): SheetColumn<TableRow>[] => [
  textColumn<TableRow>({ id: 'name', header: texts.name, width: 152, sticky: true, value: ({ name }) => name }),
  ...months.map((month) =>
    decimalColumn<TableRow>({
      id: month,
      header: texts.month(month),
      width: 108,
      value: (row) => ownValue(row, month),
      before: 8,
      after: 4,
      min: 0,
      places: 2,
      invalid: 'amount',
      read: readPerTonne,
      readOnly: !mayEdit,
      cell: (row, value) => (value === '' ? texts.inherited(row, month) : null),
    }),
  ),
]

/** Changed cell that is sent. */
export interface ChangedValue {
  key: RowKey
  month: Month
  value: string
}

/** Returns the cells that differ from the saved ones, in the order in which they are sent. */
export const changedCells = (changes: Changes<TableRow>): ChangedValue[] =>
  [...changes].flatMap(([key, { row, cells }]) =>
    [...cells].flatMap(([month, { value }]) => (value === null || value === ownValue(row, month) ? [] : [{ key, month, value }])),
  )

export const surchargeValueInputs = (keyedBy: SurchargeTable['keyed_by'], sent: readonly ChangedValue[]): SurchargeValueInput[] =>
  sent.map(({ key, month, value }) => ({
    [keyedBy === 'material' ? 'material_id' : 'article_type_id']: Number(key),
    month,
    value: value === '' ? null : value,
  }))

/** Returns the cell that an error's path refers to. */
export const cellOf = (path: string, sent: readonly ChangedValue[]): ChangedValue | undefined =>
  sent[Number(/^values\.(\d+)\./.exec(path)?.[1] ?? Number.NaN)]

/** Converts errors of the server to errors of cells; errors of other paths are left out. */
export function surchargeRefusals(fields: Readonly<Record<string, readonly string[]>>, sent: readonly ChangedValue[]): Refusal[] {
  return Object.entries(fields).flatMap(([path, texts]) => {
    const cell = cellOf(path, sent)
    return cell ? [{ key: cell.key, column: cell.month, message: texts.join(' ') }] : []
  })
}

/** Returns the values of month `from`, saved or entered, for rows that have none for `month`. */
export function prefillValues(
  rows: readonly TableRow[],
  changes: Changes<TableRow>,
  month: Month,
  from: Month,
): { row: TableRow; value: string }[] {
  /** Current amount of a cell; null if it cannot be read. */
  const amountOf = (row: TableRow, inMonth: Month) => {
    const cell = changes.get(row.id)?.cells.get(inMonth)
    return cell ? cell.value : (row.months.get(inMonth)?.value ?? '')
  }
  return rows.flatMap((row) => {
    const previous = amountOf(row, from)
    return previous && amountOf(row, month) === '' ? [{ row, value: previous }] : []
  })
}
