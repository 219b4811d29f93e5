import type { ReactNode } from 'react'
import type { SurchargeTable, SurchargeValue, SurchargeValueInput } from '~/api/schema'
import type { Changes, Refusal, RowKey } from '~/kit/sheet/changes'
import { type Column, decimalColumn, textColumn } from '~/kit/sheet/column'
import type { Lang } from '~/lib/lang'
import type { Month } from '~/lib/months'
import { readPrice } from '~/lib/reader'

/** What a table says of a month. */
interface Said {
  value: string
  /** The table that it is taken from; null of its own. */
  base: string | null
}

/** A material or an article type. */
export interface TableRow {
  id: number
  name: string
  months: ReadonlyMap<Month, Said>
}

export type KeyName = Pick<TableRow, 'id' | 'name'>

/** A row for each material or article type that has a value, then those that are just being added. */
export function rowsOf(values: readonly SurchargeValue[], added: readonly KeyName[]): TableRow[] {
  const rows = new Map<number, { id: number; name: string; months: Map<Month, Said> }>()
  const rowOf = ({ id, name }: KeyName) => {
    const row = rows.get(id) ?? { id, name, months: new Map<Month, Said>() }
    rows.set(id, row)
    return row
  }
  for (const { material_id, article_type_id, name, month, value, base_table } of values)
    rowOf({ id: material_id ?? article_type_id ?? 0, name }).months.set(month, { value, base: base_table?.name ?? null })
  for (const key of added) rowOf(key)
  return [...rows.values()]
}

/** What stands in a cell of a row's own. */
export function ownValue({ months }: TableRow, month: Month): string {
  const said = months.get(month)
  return said && said.base === null ? said.value : ''
}

interface Texts {
  name: string
  month: (month: Month) => string
  /** What stands where a row has no value of its own. */
  elsewhere: (row: TableRow, month: Month) => ReactNode
}

const TONNE = [{ value: 't', label: 't', names: ['to', 'Tonne'] }]

/** An amount, with or without what every amount of a table is for. */
function readPerTonne(text: string, lang: Lang) {
  const read = readPrice(text, lang, TONNE)
  return read && (read.priceQuantity?.value ?? '1') === '1' ? read.amount : null
}

export const tableColumns = (months: readonly Month[], texts: Texts, may: boolean): Column<TableRow>[] => [
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
      readOnly: !may,
      cell: (row, value) => (value === '' ? texts.elsewhere(row, month) : null),
    }),
  ),
]

/** A changed cell as it is sent. */
export interface Sent {
  key: RowKey
  month: Month
  value: string
}

/** The cells that differ from what is saved, in the order in which they are sent. */
export const sentOf = (changes: Changes<TableRow>): Sent[] =>
  [...changes].flatMap(([key, { row, cells }]) =>
    [...cells].flatMap(([month, { value }]) => (value === null || value === ownValue(row, month) ? [] : [{ key, month, value }])),
  )

export const inputOf = (keyedBy: SurchargeTable['keyed_by'], sent: readonly Sent[]): SurchargeValueInput[] =>
  sent.map(({ key, month, value }) => ({
    [keyedBy === 'material' ? 'material_id' : 'article_type_id']: Number(key),
    month,
    value: value === '' ? null : value,
  }))

/** The cell of an error's path. */
export const cellOf = (path: string, sent: readonly Sent[]): Sent | undefined =>
  sent[Number(/^values\.(\d+)\./.exec(path)?.[1] ?? Number.NaN)]

/** What the server says of values, at their cells; the rest is of none. */
export function refusalsOf(fields: Readonly<Record<string, readonly string[]>>, sent: readonly Sent[]): Refusal[] {
  return Object.entries(fields).flatMap(([path, texts]) => {
    const cell = cellOf(path, sent)
    return cell ? [{ key: cell.key, column: cell.month, message: texts.join(' ') }] : []
  })
}

/** What rows lack of a month and have of the one before it, saved or entered. */
export function prefilled(
  rows: readonly TableRow[],
  changes: Changes<TableRow>,
  month: Month,
  from: Month,
): { row: TableRow; value: string }[] {
  /** Null of what cannot be read. */
  const amountOf = (row: TableRow, of: Month) => {
    const cell = changes.get(row.id)?.cells.get(of)
    return cell ? cell.value : (row.months.get(of)?.value ?? '')
  }
  return rows.flatMap((row) => {
    const former = amountOf(row, from)
    return former && amountOf(row, month) === '' ? [{ row, value: former }] : []
  })
}
