import { type DaysOff, weekdayValues } from '~/api/schema'
import { addDays, weekday } from '~/lib/days'
import type { Mark } from './mark'

/** Closure of a warehouse or a shipping node. */
export interface ClosedDay {
  id: number
  date: string
  name: string
  /** Warehouse; null for all warehouses of a tenant, undefined for a shipping node. */
  warehouse_id?: number | null
}

/** Days off of a year for a place. */
export type FreeDays<C extends ClosedDay = ClosedDay> = Omit<DaysOff, 'closures'> & { closures: C[] }

interface Words {
  rest: string
  holiday: (holiday: DaysOff['public_holidays'][number]['holiday']) => string
  closed: (name: string) => string
}

/** Days off of a year with all their reasons. The colour is that of the closure, or else of the public holiday. */
export function marksOf(year: number, { working_week, public_holidays, closures }: FreeDays, words: Words): Map<string, Mark> {
  const marks = new Map<string, Mark>()
  const add = (day: string, tone: Mark['tone'], text: string) => {
    const before = marks.get(day)
    marks.set(day, { tone, text: before ? `${text}, ${before.text}` : text })
  }
  const rest = weekdayValues.map((weekday) => !working_week.includes(weekday))
  for (let day = `${year}-01-01`; day.startsWith(`${year}-`); day = addDays(day, 1)) {
    if (rest[weekday(day)]) add(day, 'rest', words.rest)
  }
  for (const { date, holiday } of public_holidays) add(date, 'holiday', words.holiday(holiday))
  for (const { date, name } of closures) add(date, 'closed', words.closed(name))
  return marks
}
