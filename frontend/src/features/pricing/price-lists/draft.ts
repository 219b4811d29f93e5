import type { PriceListPriceInput, Unit } from '~/api/schema'
import { moneyColumns } from '~/features/pricing/shared/price-columns'
import { type Changes, currentValue, type Refusal, type RowChange } from '~/kit/sheet/changes'
import { type ColumnOption, type SheetColumn, textColumn } from '~/kit/sheet/column'

/** Row of a price list that is still to be filled in. */
export interface DraftRow {
  id: number
}

/** Empty rows for a paste; more rows have to be imported from a file. */
export const DRAFTS: readonly DraftRow[] = Array.from({ length: 2_000 }, (_, id) => ({ id }))

export const draftColumns = (head: (field: string) => string, units: readonly ColumnOption[]): SheetColumn<DraftRow>[] => [
  {
    ...textColumn<DraftRow>({ id: 'article_number', header: head('article_number'), width: 224, sticky: true, value: () => '' }),
    parse: (text) => ({ value: text.trim() }),
  },
  ...moneyColumns<DraftRow>({
    field: 'price',
    header: head('price'),
    head,
    units,
    mayEdit: true,
    value: () => null,
    defaultUnit: () => 't',
  }),
]

const valuesOf = (change: RowChange<DraftRow>, columns: ReadonlyMap<string, SheetColumn<DraftRow>>) => {
  const at = (id: string) => {
    const column = columns.get(id)
    return column ? currentValue(change, column) : ''
  }
  return { number: at('article_number'), price: at('price.price'), quantity: at('price.price_quantity'), unit: at('price.unit') as Unit }
}

/**
 * Converts a row to the input of the API. With `replace` it overwrites an existing price of the article;
 * otherwise there must be none.
 */
export function inputOfDraft(
  change: RowChange<DraftRow>,
  columns: ReadonlyMap<string, SheetColumn<DraftRow>>,
  replace: boolean,
): PriceListPriceInput {
  const { number, price, quantity, unit } = valuesOf(change, columns)
  return {
    article_number: number,
    price: { price, price_quantity: quantity, unit },
    ...(!replace && { version: 0 }),
  }
}

/** Finds rows without an article number or a price. */
export function missingInDrafts(
  changes: Changes<DraftRow>,
  columns: ReadonlyMap<string, SheetColumn<DraftRow>>,
  message: string,
): Refusal[] {
  return [...changes].flatMap(([key, change]) => {
    const { number, price } = valuesOf(change, columns)
    const readable = change.cells.get('price.price')?.value !== null
    return [
      ...(number === '' ? [{ key, column: 'article_number', message }] : []),
      ...(price === '' && readable ? [{ key, column: 'price.price', message }] : []),
    ]
  })
}

/** Returns the column that an error's path refers to; null if the error is about the whole row. */
export function draftColumnOf(path: string, columns: ReadonlyMap<string, unknown>): string | null {
  if (path === 'article_id') return 'article_number'
  if (path === 'price') return 'price.price'
  return columns.has(path) ? path : null
}
