import type { BulkPrice, Money, Unit, UnitOfMeasure } from '~/api/schema'
import { fold } from '~/lib/fold'
import { type Choice, type Column, choiceColumn, decimalColumn } from '../spreadsheet/column'

const CURRENCY = ['€', 'EUR']

/** "92,50 €/100 kg", "850 € je t": an amount, what it is for, and the unit of that. */
const RATE = /^(.+?)\s*(?:\/|\b(?:je|pro|per)\b)\s*([\d.,]*)\s*(\p{L}[\p{L}\d²³.]*)$/iu

export function readRate(text: string, units: readonly Choice[]): { price: string; quantity: string; unit: string } | null {
  const [, price, quantity, unit] = RATE.exec(text.trim()) ?? []
  const known = units.find(({ value, label, names = [] }) => [value, label, ...names].some((name) => fold(name) === fold(unit ?? '')))
  return price && known ? { price, quantity: quantity || '1', unit: known.value } : null
}

export const unitChoices = (units: readonly UnitOfMeasure[]): Choice[] =>
  units.map(({ unit, symbol, names }) => ({ value: unit, label: symbol, names }))

/** `≥ 10 t: 830 · ≥ 25 t: 815`: which tiers there are; the dialog shows the rest. */
export function tiersText(tiers: readonly BulkPrice[], units: readonly UnitOfMeasure[], number: (value: string) => string): string {
  const symbol = (unit: Unit | null | undefined) => units.find((one) => one.unit === unit)?.symbol ?? ''
  const texts = tiers.map((tier) => `\u2265\u00a0${number(tier.quantity_from)}\u00a0${symbol(tier.quantity_unit)}: ${number(tier.price)}`)
  return texts.join(' · ')
}

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
      header,
      width: 132,
      value: (row) => value(row)?.price ?? null,
      min: 0,
      before: 8,
      after: 4,
      places: 2,
      beside: CURRENCY,
      spread: (text) => {
        const rate = readRate(text, units)
        return rate && { [price]: rate.price, [quantity]: rate.quantity, [unit]: rate.unit }
      },
    }),
    decimalColumn<Row>({
      id: quantity,
      header: head('per'),
      width: 72,
      // a price that is still to be named is for one of the article's price unit
      value: (row) => value(row)?.price_quantity ?? '1',
      above: 0,
      required: true,
    }),
    choiceColumn<Row>({
      id: unit,
      header: head('unit'),
      width: 84,
      value: (row) => value(row)?.unit ?? usual(row),
      choices: units,
      required: true,
    }),
  ].map(editable)
}
