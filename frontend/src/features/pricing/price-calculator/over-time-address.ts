import { emptyLine, readCart, singleLineCart } from './cart'
import { MONTH_COUNTS, type MonthCount } from './over-time-scale'

/** Parameters of the page besides the cart with its one line. */
export interface Looked {
  span: MonthCount
  /** Time that is explained. */
  moment: number | null
}

const USUAL: MonthCount = 12

export function readLooked(search: string): Looked {
  const params = new URLSearchParams(search)
  const moment = Date.parse(params.get('moment') ?? '')
  return {
    span: MONTH_COUNTS.find((span) => String(span) === params.get('span')) ?? USUAL,
    moment: Number.isNaN(moment) ? null : moment,
  }
}

export function writeLooked(search: string, change: Partial<Looked>): string {
  const { span, moment } = { ...readLooked(search), ...change }
  const params = new URLSearchParams(search)
  params.delete('span')
  params.delete('moment')
  if (span !== USUAL) params.set('span', String(span))
  if (moment !== null) params.set('moment', new Date(moment).toISOString())
  return params.toString()
}

/** Reads the buyer and the first line of the URL's cart, without processings and time. */
export function readOne(search: string) {
  const { buyer_id, lines } = readCart(search)
  const [line = emptyLine()] = lines
  return singleLineCart(buyer_id, line)
}
