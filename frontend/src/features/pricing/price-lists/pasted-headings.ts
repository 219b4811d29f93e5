import { type ColumnOption, cellText } from '~/kit/sheet/column'
import type { Lang } from '~/lib/lang'
import { readNumber, readPrice } from '~/lib/reader'

type Part = 'number' | 'price' | 'quantity' | 'unit'
type Clip = readonly (readonly string[])[]

/** Pasted cells in the order of the columns; a part without a column leaves the current value unchanged. */
export interface HeadedRows {
  rows: (string | undefined)[][]
  /** Recognised headings by their part. */
  recognized: { part: Part; heading: string }[]
  /** Headings of columns that are ignored. */
  ignored: string[]
}

/** Order of the columns in the sheet. */
const PARTS: readonly Part[] = ['number', 'price', 'quantity', 'unit']

/** Maximum number of lines above the headings, such as a title or an empty line. */
const MAX_LINES_ABOVE = 5

/** Names of columns in lower case, without spaces and punctuation. */
const NAMES: Record<Part | 'basis', readonly string[]> = {
  number:
    'artikelnummer artikelnr artikelno artikel artnr art nummer materialnummer materialnr sku articlenumber articleno article itemnumber itemno item partnumber partno'.split(
      ' ',
    ),
  price:
    'preis preise neuerpreis listenpreis grundpreis basispreis nettopreis preisnetto vk vkpreis ek ekpreis verkaufspreis einkaufspreis netto betrag eur euro price newprice listprice baseprice netprice unitprice sellingprice purchaseprice amount'.split(
      ' ',
    ),
  quantity: 'je per pro pe preismenge preisbasis pricequantity priceper'.split(' '),
  unit: 'einheit me mengeneinheit preisme preismengeneinheit unit uom unitofmeasure'.split(' '),
  // a quantity or a unit, depending on the cells
  basis: ['preiseinheit', 'priceunit'],
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/[^a-z0-9]/g, '')

/** Splits `Preis [EUR/100 kg]` or `Preis je 100 kg` into `Preis` and `100 kg`. */
function splitHeading(text: string): { name: string; per: string } {
  const [, name = text, per = ''] = /^(.*?)(?:\/|\s(?:je|pro|per)\s)(.*)$/i.exec(text) ?? []
  return { name: name.replace(/[([]?\s*(?:€|eur|euro)\s*$/i, '') || name, per: per.replace(/[)\]\s]+$/, '') }
}

function partOf(text: string): Part | 'basis' | null {
  const name = plain(splitHeading(text).name)
  const whole = plain(text)
  const parts = Object.keys(NAMES) as (Part | 'basis')[]
  return parts.find((part) => NAMES[part].includes(whole) || NAMES[part].includes(name)) ?? null
}

/**
 * Arranges pasted cells by the headings in their first lines; null if there are no headings and all cells
 * are data.
 */
export function arrangeByHeadings(clip: Clip, units: readonly ColumnOption[], lang: Lang): HeadedRows | null {
  const at = clip.slice(0, MAX_LINES_ABOVE).findIndex((row) => {
    const parts = row.map(partOf)
    return parts.includes('number') && parts.includes('price')
  })
  const headings = clip[at]
  if (!headings) return null
  const data = clip.slice(at + 1).filter((row) => row.some((text) => text.trim() !== ''))
  const basisIs = (column: number): Part => {
    const first = data.map((row) => row[column]?.trim() ?? '').find((text) => text !== '')
    return first === undefined || readNumber(first, lang) ? 'quantity' : 'unit'
  }
  const columns = new Map<Part, number>()
  headings.forEach((text, column) => {
    const part = partOf(text)
    const columnPart = part === 'basis' ? basisIs(column) : part
    // the first of two equal headings is used
    if (columnPart && !columns.has(columnPart)) columns.set(columnPart, column)
  })
  const per = splitHeading(headings[columns.get('price') ?? -1] ?? '').per
  const headingPrice = per === '' ? null : readPrice(`1 €/${per}`, lang, units as never)
  const defaults: Partial<Record<Part, string>> = headingPrice?.unit
    ? { unit: headingPrice.unit, quantity: headingPrice.priceQuantity ? cellText(headingPrice.priceQuantity, lang) : '1' }
    : {}
  const cell = (row: readonly string[], part: Part) => {
    const column = columns.get(part)
    const text = column === undefined ? undefined : row[column]?.trim()
    return text || defaults[part] || (part === 'quantity' || part === 'unit' ? undefined : (text ?? ''))
  }
  const used = new Set(columns.values())
  return {
    rows: data.map((row) => PARTS.map((part) => cell(row, part))),
    recognized: [...columns].map(([part, column]) => ({ part, heading: headings[column] ?? '' })),
    ignored: headings.filter((text, column) => !used.has(column) && text.trim() !== ''),
  }
}
