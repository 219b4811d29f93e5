import type { ReactNode } from 'react'
import type { Price, Unit } from '~/api/schema'
import { moneyColumns } from '~/features/pricing/shared/price-columns'
import type { TiersText } from '~/features/pricing/shared/use-tiers-text'
import { currentValue, type Refusal, type RowChange, type RowKey } from '~/kit/sheet/changes'
import { type ColumnOption, type SheetColumn, textColumn } from '~/kit/sheet/column'
import { shortestDecimal } from '~/lib/decimal'
import type { Lang } from '~/lib/lang'
import type { PriceOfStock } from './api'

export const PRICE_SIDES = ['external_price', 'internal_price'] as const
type Side = (typeof PRICE_SIDES)[number]

/** Columns with tiers, each with the price that it belongs to. */
export const TIER_LISTS = ['external_bulk_prices', 'internal_bulk_prices'] as const
export type TierList = (typeof TIER_LISTS)[number]

export const PRICE_OF: Record<TierList, 'external_price' | 'internal_price'> = {
  external_bulk_prices: 'external_price',
  internal_bulk_prices: 'internal_price',
}

/** Three columns of a price. */
const sideColumns = (
  side: Side,
  head: (field: string) => string,
  units: readonly ColumnOption[],
  mayEdit: boolean,
  withUnit: Lang | null,
): SheetColumn<Price>[] =>
  moneyColumns<Price>({
    field: side,
    header: head(side),
    head,
    units,
    mayEdit,
    withUnit,
    value: (row) => row[side],
    defaultUnit: (row) => row.article.price_unit,
  })

interface Texts {
  /** Formats the tiers of a price briefly. */
  tiers: TiersText
  head: (field: string) => string
  margin: (row: Price) => string
  heldText: (row: Price) => string
  /** Price as the cell shows it, marked if another one is under review. */
  price: (row: Price, text: ReactNode) => ReactNode
  /** Saved price, shown beside a changed one. */
  old: (price: string) => string
  /** Change of a price in percent. */
  change: (before: string, after: string) => string
  /** Price of a tonne, empty if the price is for a mass. */
  perTonne: (row: Price) => string
  /** Time of the price's last change. */
  changed: (row: Price) => string
}

interface Options {
  mayEdit: boolean
  /** True if there is room for only one column beside the article number: the price. */
  narrow?: boolean
  open: (row: Price) => void
  /** Opens the prices under review. */
  review: (row: Price) => void
  /** Opens the history of the price; absent for users who may not see it. */
  showHistory?: ((row: Price) => void) | undefined
}

export function priceColumns(
  { head, margin, heldText, tiers, price, old, change, perTonne, changed }: Texts,
  units: readonly ColumnOption[],
  lang: Lang,
  { mayEdit, narrow = false, open, review, showHistory }: Options,
): SheetColumn<Price>[] {
  const number = textColumn<Price>({
    id: 'article_number',
    header: head('article_number'),
    width: 208,
    sticky: true,
    value: (row) => row.article.article_number,
    ...(narrow && { cell: ({ article, warehouse }) => `${article.article_number} · ${warehouse.short_code}` }),
  })
  const articleColumns = [
    textColumn<Price>({ id: 'article_name', header: head('article_name'), width: 240, value: (row) => row.article.article_name }),
    textColumn<Price>({ id: 'warehouse', header: head('warehouse_id'), width: 96, value: (row) => row.warehouse.short_code }),
  ]
  // beside the prices, where it is noticed
  const heldColumn = textColumn<Price>({
    id: 'held',
    header: head('held'),
    width: 156,
    value: heldText,
    open: review,
    canOpen: (row) => row.held !== null,
  })
  const PRICE = 'external_price.price'
  const saved = (row: Price) => row.external_price?.price ?? ''
  const isSaved = (row: Price, value: string) => value === (saved(row) && shortestDecimal(saved(row)))
  const withMark = (column: SheetColumn<Price>, lang: Lang): SheetColumn<Price> =>
    column.id === PRICE
      ? { ...column, cell: (row, value, current) => price(row, column.cell?.(row, value, current) ?? column.show(value, lang)) }
      : column
  // after the prices, so that a pasted block overwrites neither
  const changeColumns = [
    textColumn<Price>({
      id: 'old_price',
      header: head('old_price'),
      width: 112,
      align: 'end',
      value: () => '',
      derived: (row, current) => (isSaved(row, current(PRICE)) ? '' : old(saved(row))),
    }),
    textColumn<Price>({
      id: 'price_change',
      header: head('price_change'),
      width: 104,
      align: 'end',
      value: () => '',
      derived: (row, current) => (isSaved(row, current(PRICE)) ? '' : change(saved(row), current(PRICE))),
    }),
  ]
  const prices = [
    ...TIER_LISTS.flatMap((list) => [
      ...sideColumns(PRICE_OF[list], head, units, mayEdit, narrow ? lang : null).map((column) => withMark(column, lang)),
      textColumn<Price>({ id: list, header: head('tiers'), width: 216, value: (row) => tiers(row[list], row[PRICE_OF[list]]), open }),
    ]),
    textColumn<Price>({ id: 'margin', header: head('margin'), width: 96, align: 'end', value: margin }),
    ...(mayEdit ? changeColumns : []),
    textColumn<Price>({
      id: 'per_tonne',
      header: head('per_tonne'),
      width: 112,
      align: 'end',
      value: () => '',
      // computed for the saved price, so it is empty while the price is changed
      derived: (row, current) => (isSaved(row, current(PRICE)) ? perTonne(row) : ''),
    }),
    textColumn<Price>({
      id: 'updated_at',
      header: head('updated_at'),
      width: 112,
      align: 'end',
      value: changed,
      ...(showHistory && { open: showHistory, canOpen: (row) => row.external_price !== null }),
    }),
  ]
  return narrow ? [number, ...prices, heldColumn, ...articleColumns] : [number, ...articleColumns, heldColumn, ...prices]
}

/** Input for a changed row: both current prices and the unchanged tiers. */
export function stockPriceInput(change: RowChange<Price>, columns: ReadonlyMap<string, SheetColumn<Price>>): PriceOfStock {
  const { row } = change
  const at = (id: string) => {
    const column = columns.get(id)
    return column ? currentValue(change, column) : ''
  }
  const money = (side: Side) => {
    const price = at(`${side}.price`)
    return price === '' ? null : { price, price_quantity: at(`${side}.price_quantity`), unit: at(`${side}.unit`) as Unit }
  }
  return {
    id: row.id,
    version: row.version,
    internal_price: money('internal_price'),
    external_price: money('external_price'),
    internal_bulk_prices: row.internal_bulk_prices,
    external_bulk_prices: row.external_bulk_prices,
  }
}

/** Finds rows with a quantity or a unit but no price, which would be lost. */
export const missingStockPrices = (changes: ReadonlyMap<RowKey, RowChange<Price>>, message: string): Refusal[] =>
  [...changes].flatMap(([key, { row, cells }]) =>
    PRICE_SIDES.flatMap((side) => {
      const price = cells.get(`${side}.price`)?.value ?? row[side]?.price ?? ''
      const hasUnitCells = cells.has(`${side}.price_quantity`) || cells.has(`${side}.unit`)
      return price === '' && hasUnitCells ? [{ key, column: `${side}.price`, message }] : []
    }),
  )

/**
 * Returns the column that an error's path refers to, that of the tiers for each of them; null if the error
 * is about the whole row.
 */
export function stockPriceColumn(path: string, columns: ReadonlyMap<string, unknown>): string | null {
  const side = PRICE_SIDES.find((one) => path === one)
  if (side) return `${side}.price`
  return columns.has(path) ? path : (TIER_LISTS.find((list) => path.startsWith(`${list}.`)) ?? null)
}

/** Fields of the price that customers pay, as the history names them. */
export const EXTERNAL_PRICE = ['external_price', 'external_price_quantity', 'external_price_unit'] as const

/**
 * Fields of the price that a column belongs to, as the history names them; none for a column without a
 * price.
 */
export function stockPriceFields({ id, group }: Pick<SheetColumn<Price>, 'id' | 'group'>): readonly string[] {
  const list = TIER_LISTS.find((one) => one === id || PRICE_OF[one] === group)
  if (!list) return []
  const price = PRICE_OF[list]
  return id === list ? [list] : [price, `${price}_quantity`, `${price}_unit`]
}
