import { useFormat } from '~/i18n/use-format'

// 1 January 2024 was a Monday
const MONDAY = Date.UTC(2024, 0, 1)
const DAY = 86_400_000

/** Weekdays with their numbers: 1 for Monday to 7 for Sunday. */
export function useWeekdays(): { number: string; name: string }[] {
  const { lang } = useFormat()
  const format = new Intl.DateTimeFormat(lang, { weekday: 'long', timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, at) => ({ number: String(at + 1), name: format.format(MONDAY + at * DAY) }))
}
