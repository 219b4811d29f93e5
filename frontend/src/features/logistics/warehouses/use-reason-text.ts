import { useTranslation } from 'react-i18next'
import { type ReadinessReason, weekdayValues } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { weekdayNames } from '~/lib/dates'
import { formatDuration } from '~/lib/duration'

/** Formats the reason of a step towards a finished order. */
export function useReasonText(): (reason: ReadinessReason) => string {
  const { t } = useTranslation('warehouses')
  const { lang } = useFormat()
  return ({ code, cut_off, weekday, holiday, name, duration }) =>
    t(`enums.reason.${code}`, {
      time: cut_off,
      weekday: weekday && weekdayNames(lang, 'long')[weekdayValues.indexOf(weekday)],
      holiday: holiday && t(`enums.holiday.${holiday}`),
      name,
      duration: duration !== null && formatDuration(duration),
    })
}
