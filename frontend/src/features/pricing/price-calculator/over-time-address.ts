import { emptyLine, readCart, singleLineCart } from './cart'
import { MONTH_COUNTS, type MonthCount } from './over-time-scale'

/** Parameters of the page besides the cart with its one line. */
export interface OverTimeParams {
  span: MonthCount
  /** Time that is explained. */
  moment: number | null
}

const DEFAULT_SPAN: MonthCount = 12

export function readOverTimeParams(search: string): OverTimeParams {
  const params = new URLSearchParams(search)
  const moment = Date.parse(params.get('moment') ?? '')
  return {
    span: MONTH_COUNTS.find((span) => String(span) === params.get('span')) ?? DEFAULT_SPAN,
    moment: Number.isNaN(moment) ? null : moment,
  }
}

export function writeOverTimeParams(search: string, change: Partial<OverTimeParams>): string {
  const { span, moment } = { ...readOverTimeParams(search), ...change }
  const params = new URLSearchParams(search)
  params.delete('span')
  params.delete('moment')
  if (span !== DEFAULT_SPAN) params.set('span', String(span))
  if (moment !== null) params.set('moment', new Date(moment).toISOString())
  return params.toString()
}

/** Reads the buyer and the first line of the URL's cart, without processings and time. */
export function readSingleLine(search: string) {
  const { buyer_id, lines } = readCart(search)
  const [line = emptyLine()] = lines
  return singleLineCart(buyer_id, line)
}
