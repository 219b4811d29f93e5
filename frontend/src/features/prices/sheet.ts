import type { BulkPrice, Price, Unit, UnitOfMeasure } from '~/api/schema'
import { type Change, currentValue, type Refusal, type RowKey } from '~/kit/spreadsheet/changes'
import { type Choice, type Column, choiceColumn, decimalColumn, textColumn } from '~/kit/spreadsheet/column'
import { fold } from '~/lib/fold'
import type { PriceOfStock } from './api'

export const SIDES = ['external_price', 'internal_price'] as const
type Side = (typeof SIDES)[number]

/** The lists of tiers, and the price that each of them goes on from. */
export const TIER_LISTS = ['external_bulk_prices', 'internal_bulk_prices'] as const
export type TierList = (typeof TIER_LISTS)[number]

export const PRICE_OF: Record<TierList, 'external_price' | 'internal_price'> = {
  external_bulk_prices: 'external_price',
  internal_bulk_prices: 'internal_price',
}

const CURRENCY = ['€', 'EUR']

/** "92,50 €/100 kg", "850 € je t": an amount, what it is for, and the unit of that. */
const RATE = /^(.+?)\s*(?:\/|\b(?:je|pro|per)\b)\s*([\d.,]*)\s*(\p{L}[\p{L}\d²³.]*)$/iu

export function readRate(text: string, units: readonly Choice[]): { price: string; quantity: string; unit: string } | null {
  const [, price, quantity, unit] = RATE.exec(text.trim()) ?? []
  const known = units.find(({ value, label, names = [] }) => [value, label, ...names].some((name) => fold(name) === fold(unit ?? '')))
  return price && known ? { price, quantity: quantity || '1', unit: known.value } : null
}

/** The three columns of a price, called as the contract calls them in its errors. */
function sideColumns(side: Side, head: (field: string) => string, units: readonly Choice[], may: boolean): Column<Price>[] {
  const [price, quantity, unit] = [`${side}.price`, `${side}.price_quantity`, `${side}.unit`]
  const editable = (column: Column<Price>): Column<Price> => (may ? column : { ...column, locked: () => true })
  return [
    decimalColumn<Price>({
      id: price,
      header: head(side),
      width: 132,
      value: (row) => row[side]?.price ?? null,
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
    decimalColumn<Price>({
      id: quantity,
      header: head('per'),
      width: 72,
      // a price that is still to be named is for one of the article's price unit
      value: (row) => row[side]?.price_quantity ?? '1',
      above: 0,
      required: true,
    }),
    choiceColumn<Price>({
      id: unit,
      header: head('unit'),
      width: 84,
      value: (row) => row[side]?.unit ?? row.article.price_unit,
      choices: units,
      required: true,
    }),
  ].map(editable)
}

export const unitChoices = (units: readonly UnitOfMeasure[]): Choice[] =>
  units.map(({ unit, symbol, names }) => ({ value: unit, label: symbol, names }))

/** `≥ 10 t: 830 · ≥ 25 t: 815`: which tiers there are; the dialog shows the rest. */
export function tiersText(tiers: readonly BulkPrice[], units: readonly UnitOfMeasure[], number: (value: string) => string): string {
  const symbol = (unit: Unit | null | undefined) => units.find((one) => one.unit === unit)?.symbol ?? ''
  const texts = tiers.map((tier) => `\u2265\u00a0${number(tier.quantity_from)}\u00a0${symbol(tier.quantity_unit)}: ${number(tier.price)}`)
  return texts.join(' · ')
}

interface Texts {
  /** The tiers of a price in short. */
  tiers: (tiers: readonly BulkPrice[]) => string
  head: (field: string) => string
  margin: (row: Price) => string
  held: (row: Price) => string
}

interface Options {
  may: boolean
  /** Beside what a row is known by there is room for one column: the price. */
  narrow?: boolean
  open: (row: Price) => void
}

export function priceColumns(
  { head, margin, held, tiers }: Texts,
  units: readonly Choice[],
  { may, narrow = false, open }: Options,
): Column<Price>[] {
  const number = textColumn<Price>({
    id: 'article_number',
    header: head('article_number'),
    width: 208,
    sticky: true,
    value: (row) => row.article.article_number,
    ...(narrow && { cell: ({ article, warehouse }) => `${article.article_number} · ${warehouse.short_code}` }),
  })
  const known = [
    textColumn<Price>({ id: 'article_name', header: head('article_name'), width: 240, value: (row) => row.article.article_name }),
    textColumn<Price>({ id: 'warehouse', header: head('warehouse_id'), width: 96, value: (row) => row.warehouse.short_code }),
  ]
  const prices = [
    ...TIER_LISTS.flatMap((list) => [
      ...sideColumns(PRICE_OF[list], head, units, may),
      textColumn<Price>({ id: list, header: head('tiers'), width: 168, value: (row) => tiers(row[list]), open }),
    ]),
    textColumn<Price>({ id: 'margin', header: head('margin'), width: 96, align: 'end', value: margin }),
    textColumn<Price>({ id: 'held', header: head('held'), width: 176, value: held }),
  ]
  return narrow ? [number, ...prices, ...known] : [number, ...known, ...prices]
}

/** What is sent of a changed row: both prices as they are now, and the tiers as they were. */
export function bodyOf(change: Change<Price>, columns: ReadonlyMap<string, Column<Price>>): PriceOfStock {
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

/** A quantity or a unit was named, but no price: it would be lost. */
export const lackingPrices = (changes: ReadonlyMap<RowKey, Change<Price>>, message: string): Refusal[] =>
  [...changes].flatMap(([key, { row, cells }]) =>
    SIDES.flatMap((side) => {
      const price = cells.get(`${side}.price`)?.value ?? row[side]?.price ?? ''
      const named = cells.has(`${side}.price_quantity`) || cells.has(`${side}.unit`)
      return price === '' && named ? [{ key, column: `${side}.price`, message }] : []
    }),
  )

/** The column of an error's path, that of the tiers for each of them; null for what concerns the row as a whole. */
export function columnOf(path: string, columns: ReadonlyMap<string, unknown>): string | null {
  const side = SIDES.find((one) => path === one)
  if (side) return `${side}.price`
  return columns.has(path) ? path : (TIER_LISTS.find((list) => path.startsWith(`${list}.`)) ?? null)
}
