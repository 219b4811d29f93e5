import { useTranslation } from 'react-i18next'
import { type Departure, weekdayValues } from '~/api/schema'
import { formatWeekdays } from '~/features/shared/departure-text'
import { useFormat } from '~/i18n/use-format'
import type { ListEntryOptions } from '~/kit/form/form-context'
import type { ExceptionForm } from './schema'

/** Compares departures of two versions of a leg by weekday and time. */
export const departureEntries: ListEntryOptions<Departure> = {
  key: ({ weekday, time }) => `${weekday} ${time}`,
  text: (departure) => <DepartureText departure={departure} />,
}

/** Compares exceptions of two versions of a leg by all their fields. */
export const exceptionEntries: ListEntryOptions<ExceptionForm> = {
  key: ({ date, time, type }) => `${date} ${time} ${type}`,
  text: (exception) => <ExceptionText exception={exception} />,
}

function DepartureText({ departure: { weekday, time } }: { departure: Departure }) {
  const { lang } = useFormat()
  return `${formatWeekdays([weekdayValues.indexOf(weekday)], lang)} ${time}`
}

function ExceptionText({ exception: { date, time, type } }: { exception: ExceptionForm }) {
  const { t } = useTranslation('shippingLegs')
  const format = useFormat()
  return [format.weekdayDate(`${date}T00:00:00`), time, t(`enums.type.${type}`)].filter(Boolean).join(' · ')
}
