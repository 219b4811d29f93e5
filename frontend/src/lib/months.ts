import type { Lang } from './lang'

/** Month in the format of the API: `2026-12`. */
export type Month = string

export const monthOf = (day: string): Month => day.slice(0, 7)

export function addMonths(month: Month, count: number): Month {
  const [year = 0, monthNumber = 1] = month.split('-').map(Number)
  const months = year * 12 + monthNumber - 1 + count
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`
}

/** Formats a month: `Dez. 2026`. */
export const monthText = (month: Month, lang: Lang): string =>
  new Intl.DateTimeFormat(lang, { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01T00:00:00Z`))
