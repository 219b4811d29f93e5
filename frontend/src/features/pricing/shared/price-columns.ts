import type { Money, Unit } from '~/api/schema'
import { type Choice, type Column, cellText, choiceColumn, decimalColumn } from '~/kit/sheet/column'
import { readPrice, readQuantity } from '~/lib/reader'

interface Priced<Row> {
  /** The field of the price on the wire. */
  field: string
  header: string
  head: (field: 'per' | 'unit') => string
  units: readonly Choice[]
  may: boolean
  value: (row: Row) => Money | null
  /** The unit of a price that is still to be named. */
  usual: (row: Row) => Unit
}

/** The three columns of a price, called as the contract calls them in its errors. */
export function moneyColumns<Row>({ field, header, head, units, may, value, usual }: Priced<Row>): Column<Row>[] {
  const [price, quantity, unit] = [`${field}.price`, `${field}.price_quantity`, `${field}.unit`]
  const editable = (column: Column<Row>): Column<Row> => (may ? column : { ...column, locked: () => true })
  return [
    decimalColumn<Row>({
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
      spread: (text, lang) => {
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
      // a price that is still to be named is for one of the article's price unit
      value: (row) => value(row)?.price_quantity ?? '1',
      above: 0,
      required: true,
      spread: (text, lang) => {
        const read = readQuantity(text, lang, units)
        return read?.unit ? { [quantity]: cellText(read.amount, lang), [unit]: read.unit } : null
      },
    }),
    choiceColumn<Row>({
      id: unit,
      group: field,
      header: head('unit'),
      width: 84,
      value: (row) => value(row)?.unit ?? usual(row),
      choices: units,
      required: true,
    }),
  ].map(editable)
}
