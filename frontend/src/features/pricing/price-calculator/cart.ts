import type { QuotesInput, SampleCartInput, Unit } from '~/api/schema'
import { unitValues } from '~/api/schema'
import { choice, choiceId, decimal, nullableDecimal, ref, z } from '~/kit/form/schema'
import { isDay } from '~/lib/days'
import { completeClockTime, parseClockTime } from '~/lib/duration'
import { parseId } from '~/lib/ids'
import { momentIn } from '~/lib/zone'

export interface ProcessingForm {
  processing_id: string
  quantity: string
  price: string
}

export interface LineForm {
  /** Key that identifies the line when others are added or removed. */
  key: string
  article_id: number | null
  quantity: string
  unit: Unit | ''
  warehouse_id: number | null
  /** Short code of the seller's warehouse, for buyers. */
  warehouse_short_code: string
  processings: ProcessingForm[]
}

/** Sides of a sale. */
export const SALE_SIDES = ['sells', 'buys'] as const
export type Side = (typeof SALE_SIDES)[number]

/** Cart as entered: decimals are canonical, or the typed text if they are invalid. */
export interface CartForm {
  /** Role of the tenant that the user acts for. */
  side: Side
  buyer_id: number | null
  /** Seller, if the tenant buys. */
  seller_id: number | null
  /** Day that the cart is calculated for; without one it is calculated for now. */
  day: string
  time: string
  lines: LineForm[]
}

/** Maximum number of lines of a cart. */
export const LINES_MAX = 200
export const PROCESSINGS_MAX = 10

let lineCount = 0
export const emptyLine = (): LineForm => ({
  key: `line ${++lineCount}`,
  article_id: null,
  quantity: '',
  unit: '',
  warehouse_id: null,
  warehouse_short_code: '',
  processings: [],
})

export const EMPTY_PROCESSING: ProcessingForm = { processing_id: '', quantity: '1', price: '' }

/** True if anything was entered; empty processings and lines are ignored. */
const isProcessingFilled = ({ processing_id, price }: ProcessingForm) => processing_id !== '' || price !== ''

const withoutEmptyProcessings = (line: LineForm): LineForm => ({ ...line, processings: line.processings.filter(isProcessingFilled) })

export const isEmpty = ({ article_id, quantity, processings }: LineForm) =>
  article_id === null && quantity === '' && !processings.some(isProcessingFilled)

const lineSchema = z.object({
  article_id: ref(),
  quantity: decimal({ above: 0 }),
  unit: choice(unitValues),
  warehouse_id: z.nullable(z.number()),
  warehouse_short_code: z.string(),
  processings: z.array(
    z.object({
      processing_id: choiceId(),
      quantity: decimal({ above: 0, before: 6, after: 0 }),
      // without a price the seller's own one is used
      price: nullableDecimal({ min: 0, before: 8, after: 4, invalid: 'amount' }),
    }),
  ),
})

/** True if a line is calculated: empty ones are ignored unless there is no other. */
const isCalculated = (lines: readonly LineForm[], at: number) => {
  const line = lines[at]
  return line !== undefined && (!isEmpty(line) || (at === 0 && lines.every(isEmpty)))
}

export const cartSchema = z
  .object({
    side: z.enum(SALE_SIDES),
    buyer_id: z.nullable(z.number()),
    seller_id: z.nullable(z.number()),
    day: z.string().check(z.refine((day) => day === '' || isDay(day), 'date')),
    time: z.string().check(z.refine((time) => time === '' || parseClockTime(completeClockTime(time)) !== null, 'clockTime')),
    lines: z.array(z.custom<LineForm>()),
  })
  .check(
    z.check(({ value: { side, seller_id, lines }, issues }) => {
      if (side === 'buys' && seller_id === null) {
        issues.push({ code: 'custom', input: seller_id, path: ['seller_id'], message: 'required' })
      }
      for (const [at, line] of lines.entries()) {
        const lineIssues = isCalculated(lines, at) ? (lineSchema.safeParse(line).error?.issues ?? []) : []
        for (const { path, message } of lineIssues) {
          // the unit is set when an article is selected
          if (path[0] === 'unit' && line.article_id === null) continue
          const processing = path[0] === 'processings' && line.processings[Number(path[1])]
          if (processing && !isProcessingFilled(processing)) continue
          issues.push({ code: 'custom', input: line, path: ['lines', at, ...path], message })
        }
      }
    }),
  )

/** Time that the cart is calculated for; null for now, or if day and time are invalid. */
function momentOf({ day, time }: CartForm, zone: string): string | null {
  const clock = time === '' ? '00:00' : completeClockTime(time)
  if (!isDay(day) || parseClockTime(clock) === null) return null
  return new Date(momentIn(zone, day, clock)).toISOString()
}

/** Request to the server, with the keys of the form's lines that it contains. */
export interface QuoteRequest {
  body: QuotesInput
  keys: string[]
}

/** Request for the complete lines of a cart; null if there are none. */
export function toQuoteRequest(form: CartForm, zone: string): QuoteRequest | null {
  const completeLines = form.lines.flatMap((line) => {
    const { data } = lineSchema.safeParse(withoutEmptyProcessings(line))
    return data ? [{ key: line.key, data }] : []
  })
  const at = momentOf(form, zone)
  const buys = form.side === 'buys'
  if (completeLines.length === 0 || (form.day !== '' && at === null) || (buys && form.seller_id === null)) return null
  const lines = completeLines.map(({ data: { processings, warehouse_id, warehouse_short_code, ...rest } }) => ({
    ...rest,
    ...(buys ? { warehouse_short_code: warehouse_short_code.trim() || null } : { warehouse_id }),
    processings: processings.map(({ processing_id, quantity, price }) => ({
      processing_id,
      quantity,
      // only a seller can set another price than their own
      price: price === null || buys ? null : { price, price_quantity: '1', unit: 'piece' as const },
    })),
  }))
  const parties = buys ? { seller_id: form.seller_id } : { buyer_id: form.buyer_id }
  const cart = { ...parties, as_customer: false, at, lines }
  return { body: { carts: [cart], explain: true }, keys: completeLines.map(({ key }) => key) }
}

/** Parts of a cart that are saved in a sample cart. */
export const toSampleCartContent = ({
  at,
  buyer_id,
  lines,
}: QuotesInput['carts'][number]): Pick<SampleCartInput, 'buyer_id' | 'at' | 'lines'> => ({
  buyer_id: buyer_id ?? null,
  at: at ?? null,
  lines: lines.map(({ article_id, quantity, unit, warehouse_id, processings = [] }) => ({
    article_id: article_id ?? 0,
    quantity,
    unit: unit ?? null,
    warehouse_id: warehouse_id ?? null,
    processings: processings.map(({ processing_id, quantity, price }) => ({ processing_id, quantity, price: price ?? null })),
  })),
})

const isUnit = (text: string): text is Unit => unitValues.includes(text as Unit)

/** Removes the characters that separate the parts of a line in the URL; a number has none of them. */
const encodePart = (text: string | number | null) => String(text ?? '').replace(/[_*]/g, '')

function readLine(text: string, warehouse_short_code: string): LineForm {
  const [article = '', quantity = '', unit = '', warehouse = '', ...processingTexts] = text.split('_')
  const processings = processingTexts.slice(0, PROCESSINGS_MAX).map((one): ProcessingForm => {
    const [id = '', times = '', price = ''] = one.split('*')
    return { processing_id: String(parseId(id) ?? ''), quantity: times, price }
  })
  return {
    ...emptyLine(),
    article_id: parseId(article),
    quantity,
    unit: isUnit(unit) ? unit : '',
    warehouse_id: parseId(warehouse),
    warehouse_short_code,
    processings,
  }
}

const writeLine = ({ article_id, quantity, unit, warehouse_id, processings }: LineForm) =>
  [
    article_id,
    quantity,
    unit,
    warehouse_id,
    ...processings.map((one) => [one.processing_id, one.quantity, one.price].map(encodePart).join('*')),
  ]
    .map((one, at) => (at < 4 ? encodePart(one) : one))
    .join('_')
    .replace(/_+$/, '')

/**
 * Reads the cart from a query string such as `?buyer=2&line=24_3_piece`; one empty line if there is none. A
 * purchase names its seller.
 */
export function readCart(search: string): CartForm {
  const params = new URLSearchParams(search)
  const [day = '', time = ''] = (params.get('at') ?? '').split('T')
  const from = params.getAll('from')
  const lines = params
    .getAll('line')
    .slice(0, LINES_MAX)
    .map((text, at) => readLine(text, from[at] ?? ''))
  return {
    side: params.has('seller') ? 'buys' : 'sells',
    buyer_id: parseId(params.get('buyer')),
    seller_id: parseId(params.get('seller')),
    day,
    time,
    lines: lines.length > 0 ? lines : [emptyLine()],
  }
}

/** True if the query string contains a cart. */
export const hasCart = (search: string) => writeCart('', readCart(search)) !== ''

/** True if the query string has the parameter that opens the explanation of the price. */
export const hasExplanationParam = (search: string) => new URLSearchParams(search).has('why')

/** Writes the cart into a query string; other parameters stay. */
export function writeCart(search: string, { side, buyer_id, seller_id, day, time, lines }: CartForm): string {
  const params = new URLSearchParams(search)
  for (const name of ['buyer', 'seller', 'at', 'line', 'from']) params.delete(name)
  if (side === 'buys') params.set('seller', String(seller_id ?? ''))
  if (buyer_id !== null) params.set('buyer', String(buyer_id))
  if (day !== '') params.set('at', `${day}T${time}`)
  const filledLines = lines.filter((line) => !isEmpty(line))
  for (const line of filledLines) params.append('line', writeLine(line))
  if (side === 'buys' && filledLines.some((line) => line.warehouse_short_code !== '')) {
    for (const line of filledLines) params.append('from', line.warehouse_short_code)
  }
  return params.toString()
}

/** Cart with one line that the tenant sells. */
export const singleLineCart = (buyer_id: number | null, line: LineForm): CartForm => ({
  side: 'sells',
  buyer_id,
  seller_id: null,
  day: '',
  time: '',
  lines: [{ ...line, processings: [] }],
})

/** Writes the parameters for the price of a line over time into a query string; other parameters stay. */
export function writeSingleLine(search: string, buyer_id: number | null, line: LineForm): string {
  const params = new URLSearchParams(search)
  for (const name of ['why', 'span', 'moment']) params.delete(name)
  return writeCart(params.toString(), singleLineCart(buyer_id, line))
}
