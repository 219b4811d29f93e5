import type { Money, Unit } from '~/api/schema'
import { type ColumnOption, cellText, choiceColumn, decimalColumn, type SheetColumn } from '~/kit/sheet/column'
import { formatDecimal, isDecimal } from '~/lib/decimal'
import type { Lang } from '~/lib/lang'
import { readPrice, readQuantity } from '~/lib/reader'

interface PriceColumnOptions<Row> {
  /** Name of the price's field in the API. */
  field: string
  header: string
  head: (field: 'per' | 'unit') => string
  units: readonly ColumnOption[]
  mayEdit: boolean
  /** Language for showing quantity and unit after the price, if their own columns are not visible. */
  withUnit?: Lang | null
  value: (row: Row) => Money | null
  /** Default unit of a new price. */
  defaultUnit: (row: Row) => Unit
}

/** Three columns of a price, with the names that the API uses in its errors. */
export function moneyColumns<Row>({
  field,
  header,
  head,
  units,
  mayEdit,
  withUnit,
  value,
  defaultUnit,
}: PriceColumnOptions<Row>): SheetColumn<Row>[] {
  const [price, quantity, unit] = [`${field}.price`, `${field}.price_quantity`, `${field}.unit`]
  /** Formats a price as `89,00 / 100 kg`. */
  function priceWithUnit(text: string, current: (column: string) => string, lang: Lang): string {
    const per = current(quantity)
    const symbol = units.find((choice) => choice.value === current(unit))?.label ?? current(unit)
    return text === '' ? '' : `${text} / ${per === '1' || !isDecimal(per) ? '' : `${formatDecimal(per, lang)}\u00a0`}${symbol}`
  }
  const editable = (column: SheetColumn<Row>): SheetColumn<Row> => (mayEdit ? column : { ...column, locked: () => true })
  const showsUnit = withUnit && {
    cell: (_: Row, value: string, current: (column: string) => string) =>
      priceWithUnit(isDecimal(value) ? formatDecimal(value, withUnit, 4, true, 2) : value, current, withUnit),
  }
  return [
    decimalColumn<Row>({
      ...showsUnit,
      id: price,
      group: field,
      header,
      width: 132,
      value: (row) => value(row)?.price ?? null,
      min: 0,
      before: 8,
      after: 4,
      places: 2,
      invalid: 'amount',
      read: (text, lang) => readPrice(text, lang, units)?.amount ?? null,
      splitText: (text, lang) => {
        const read = readPrice(text, lang, units)
        if (!read?.unit) return null
        const per = read.priceQuantity ? cellText(read.priceQuantity, lang) : '1'
        return { [price]: cellText(read.amount, lang), [quantity]: per, [unit]: read.unit }
      },
    }),
    decimalColumn<Row>({
      id: quantity,
      group: field,
      header: head('per'),
      width: 72,
      // a new price is for one of the article's price unit
      value: (row) => value(row)?.price_quantity ?? '1',
      above: 0,
      required: true,
      splitText: (text, lang) => {
        const read = readQuantity(text, lang, units)
        return read?.unit ? { [quantity]: cellText(read.amount, lang), [unit]: read.unit } : null
      },
    }),
    choiceColumn<Row>({
      id: unit,
      group: field,
      header: head('unit'),
      width: 84,
      value: (row) => value(row)?.unit ?? defaultUnit(row),
      choices: units,
      required: true,
    }),
  ].map(editable)
}
