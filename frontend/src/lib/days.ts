/** Days of the calendar, yyyy-mm-dd, which have no time zone. */

const DAY_MS = 86_400_000
const MONTHS = Array.from({ length: 12 }, (_, month) => month)

const at = (day: string) => Date.parse(`${day}T00:00:00Z`)
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

export const addDays = (day: string, days: number): string => dayOf(at(day) + days * DAY_MS)

/** From Monday, 0, on. */
export const weekdayOf = (day: string): number => (new Date(at(day)).getUTCDay() + 6) % 7

/** The same day of another month, or that month's last one. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(date, last)))
}

/** A month in weeks from Monday to Sunday; days of other months are null. */
export function weeksOf(year: number, month: number): (string | null)[][] {
  const first = dayOf(Date.UTC(year, month, 1))
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const lead = weekdayOf(first)
  const weeks = Math.ceil((lead + days) / 7)
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => {
      const place = week * 7 + weekday - lead
      return place >= 0 && place < days ? addDays(first, place) : null
    }),
  )
}

export const monthsOf = (year: number) => MONTHS.map((month) => ({ month, weeks: weeksOf(year, month) }))

/** The day that it is here. */
export function today(now = new Date()): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
