import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { useTranslation } from 'react-i18next'
import { type DepartureTime, weekdayValues } from '~/api/schema'
import { formatWeekdays } from '~/features/shared/departure-text'
import { useFormat } from '~/i18n/use-format'

interface Props {
  label: string
  times: readonly DepartureTime[]
}

/**
 * Groups departures by their time of day: those of several weekdays have the same times of order and
 * arrival.
 */
export function byTime(times: readonly DepartureTime[]): { first: DepartureTime; days: number[] }[] {
  const rows = new Map<string, { first: DepartureTime; days: number[] }>()
  for (const time of times) {
    const row = rows.get(time.start_time) ?? { first: time, days: [] }
    rows.set(time.start_time, { ...row, days: [...row.days, weekdayValues.indexOf(time.weekday)].sort() })
  }
  return [...rows.values()].sort((a, b) => (a.days[0] ?? 0) - (b.days[0] ?? 0) || (a.first.start_time < b.first.start_time ? -1 : 1))
}

/** Times of order and arrival of each departure. */
export function Timetable({ label, times }: Props) {
  const { t } = useTranslation('shippingLegs')
  const { lang } = useFormat()
  const clock = (time: string, days: number) =>
    days === 0 ? t('times.sameDay', { time }) : t(days < 0 ? 'times.before' : 'times.after', { time, count: Math.abs(days) })
  return (
    <Table size="small" aria-label={label} sx={{ '& td, & th': { px: 1, verticalAlign: 'top' } }}>
      <TableHead>
        <TableRow>
          <TableCell>{t('times.weekdays')}</TableCell>
          <TableCell>{t('times.departure')}</TableCell>
          <TableCell>{t('times.order')}</TableCell>
          <TableCell>{t('times.arrival')}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {byTime(times).map(({ first, days }) => (
          <TableRow key={first.start_time}>
            <TableCell>{formatWeekdays(days, lang)}</TableCell>
            <TableCell>{clock(first.start_time, 0)}</TableCell>
            <TableCell>{clock(first.order_time, first.order_day_offset)}</TableCell>
            <TableCell>{clock(first.arrival_time, first.arrival_day_offset)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}
