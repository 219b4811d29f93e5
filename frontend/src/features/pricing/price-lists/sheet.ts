import type { ReactNode } from 'react'
import type { PriceListPrice, PriceListPriceInput, Unit } from '~/api/schema'
import { moneyColumns } from '~/features/pricing/shared/price-columns'
import type { TiersText } from '~/features/pricing/shared/use-tiers-text'
import { currentValue, type Refusal, type RowChange, type RowKey } from '~/kit/sheet/changes'
import { type ColumnOption, type SheetColumn, textColumn } from '~/kit/sheet/column'
import { shortestDecimal } from '~/lib/decimal'
import type { Lang } from '~/lib/lang'

interface Texts {
  head: (field: string) => string
  /** Formats the tiers of a price briefly. */
  tiers: TiersText
  heldText: (row: PriceListPrice) => string
  /** Name of an article with its picture. */
  name: (row: PriceListPrice) => ReactNode
  /** Price as the cell shows it, marked if another one is under review. */
  price: (row: PriceListPrice, text: ReactNode) => ReactNode
  margin: (row: PriceListPrice) => string
  perTonne: (row: PriceListPrice) => string
  /** Time of the price's last change. */
  changed: (row: PriceListPrice) => string
}

interface Options {
  mayEdit: boolean
  /** True if there is room for only one column beside the article number: the price. */
  narrow: boolean
  /** True if the costs of articles are available and the user may see them. */
  hasMargin: boolean
  open: (row: PriceListPrice) => void
}

const PRICE = 'price.price'
const isSaved = ({ price }: PriceListPrice, value: string) => value === (price ? shortestDecimal(price.price) : '')

export function listColumns(
  { head, tiers, heldText, name: nameOf, price, margin, perTonne, changed }: Texts,
  units: readonly ColumnOption[],
  lang: Lang,
  { mayEdit, narrow, hasMargin, open }: Options,
): SheetColumn<PriceListPrice>[] {
  const number = textColumn<PriceListPrice>({
    id: 'article_number',
    header: head('article_number'),
    width: 208,
    sticky: true,
    value: (row) => row.article.article_number,
  })
  const name = textColumn<PriceListPrice>({
    id: 'article_name',
    header: head('article_name'),
    width: 208,
    value: (row) => row.article.article_name,
    cell: nameOf,
  })
  const prices = [
    ...moneyColumns<PriceListPrice>({
      field: 'price',
      header: head('price'),
      head,
      units,
      mayEdit,
      withUnit: narrow ? lang : null,
      value: (row) => row.price,
      defaultUnit: (row) => row.article.price_unit,
    }).map(
      (column): SheetColumn<PriceListPrice> =>
        column.id === PRICE
          ? { ...column, cell: (row, value, current) => price(row, column.cell?.(row, value, current) ?? column.show(value, lang)) }
          : column,
    ),
    textColumn<PriceListPrice>({
      id: 'bulk_prices',
      header: head('bulk_prices'),
      width: 216,
      value: (row) => tiers(row.bulk_prices, row.price),
      open,
    }),
    // prices under review matter only in a list that the user can change
    ...(mayEdit
      ? [
          textColumn<PriceListPrice>({
            id: 'held',
            header: head('held'),
            width: 156,
            value: heldText,
            open,
            canOpen: (row) => row.held !== null,
          }),
        ]
      : []),
    textColumn<PriceListPrice>({
      id: 'per_tonne',
      header: head('per_tonne'),
      width: 112,
      align: 'end',
      value: () => '',
      // computed for the saved price, so it is empty while the price is changed
      derived: (row, current) => (isSaved(row, current(PRICE)) ? perTonne(row) : ''),
    }),
    ...(hasMargin ? [textColumn<PriceListPrice>({ id: 'margin', header: head('margin'), width: 96, align: 'end', value: margin })] : []),
    textColumn<PriceListPrice>({ id: 'updated_at', header: head('updated_at'), width: 112, align: 'end', value: changed }),
  ]
  return narrow ? [number, ...prices, name] : [number, name, ...prices]
}

/**
 * Input for a changed row: the current price and the unchanged tiers. A row without both is removed from the
 * list.
 */
export function listPriceInput(
  change: RowChange<PriceListPrice>,
  columns: ReadonlyMap<string, SheetColumn<PriceListPrice>>,
): PriceListPriceInput {
  const { row } = change
  const at = (id: string) => {
    const column = columns.get(id)
    return column ? currentValue(change, column) : ''
  }
  const price = at('price.price')
  return {
    article_id: row.article.id,
    version: row.version,
    price: price === '' ? null : { price, price_quantity: at('price.price_quantity'), unit: at('price.unit') as Unit },
    bulk_prices: row.bulk_prices,
  }
}

/** Finds rows with a quantity or a unit but no price, which would be lost. */
export const missingListPrices = (changes: ReadonlyMap<RowKey, RowChange<PriceListPrice>>, message: string): Refusal[] =>
  [...changes].flatMap(([key, { row, cells }]) => {
    const price = cells.get('price.price')?.value ?? row.price?.price ?? ''
    const hasUnitCells = cells.has('price.price_quantity') || cells.has('price.unit')
    return price === '' && hasUnitCells ? [{ key, column: 'price.price', message }] : []
  })

/** Returns the column that an error's path refers to; null if the error is about the whole row. */
export function listPriceColumn(path: string, columns: ReadonlyMap<string, unknown>): string | null {
  if (path === 'price') return 'price.price'
  return columns.has(path) ? path : path.startsWith('bulk_prices') ? 'bulk_prices' : null
}

/**
 * Fields of the price that a column belongs to, as the history names them; none for a column without a
 * price.
 */
export function listPriceFields({ id, group }: Pick<SheetColumn<PriceListPrice>, 'id' | 'group'>): readonly string[] {
  if (id === 'bulk_prices') return [id]
  return group === 'price' ? ['price', 'price_quantity', 'price_unit'] : []
}
