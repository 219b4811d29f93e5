import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { useTranslation } from 'react-i18next'
import type { OrderBy, OrderDay } from '~/api/schema'
import { dayText, lastMinute, shortMomentText } from '~/features/logistics/shared/itinerary/moments'
import { useFormat } from '~/i18n/use-format'
import { dayIn, minuteIn } from '~/lib/zone'

interface Props {
  days: readonly OrderDay[]
  zone: string
  now: number
}

const dayOf = (date: string) => Date.parse(`${date}T12:00:00Z`)
const LAST_MINUTE = '23:59'

/** Time until which an order of a day is in time; null if every later one of that day is. */
export function timeWithin(order_by: OrderBy, date: string, zone: string): string | null {
  const [day, time = ''] = minuteIn(zone, Date.parse(order_by.at)).split('T')
  const last = minuteIn(zone, lastMinute(order_by))
  return last > `${date}T` && last < `${date}T${LAST_MINUTE}` && day === date ? time : null
}

/** Table of orders on the next days with their arrivals. */
export function OrderDays({ days, zone, now }: Props) {
  const { t } = useTranslation('deliveryDate')
  const { lang } = useFormat()
  const label = t('orderDays.title')
  return (
    <TableContainer tabIndex={0} role="group" aria-label={label}>
      <Table size="small" aria-label={label} sx={{ '& td, & th': { verticalAlign: 'top' } }}>
        <TableHead>
          <TableRow>
            <TableCell>{t('orderDays.day')}</TableCell>
            <TableCell>{t('orderDays.order')}</TableCell>
            <TableCell>{t('orderDays.arrives')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {days.map(({ date, orders }) => {
            const rows = orders.length === 0 ? [null] : orders
            return rows.map((order, nth) => {
              const time = order && timeWithin(order.order_by, date, zone)
              const key = nth > 0 ? 'after' : date === dayIn(zone, now) ? 'fromNow' : 'allDay'
              return (
                <TableRow key={`${date} ${order?.arrives_at}`}>
                  {nth === 0 && (
                    <TableCell component="th" scope="rowgroup" rowSpan={rows.length}>
                      {dayText(date, lang, dayOf(date))}
                    </TableCell>
                  )}
                  <TableCell>
                    {order && (time === null ? t(`orderDays.${key}`) : t(order.order_by.is_inclusive ? 'by' : 'before', { when: time }))}
                  </TableCell>
                  <TableCell sx={{ fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
                    {order ? shortMomentText(order.arrives_at, zone, lang, dayOf(date)) : t('orderDays.none')}
                  </TableCell>
                </TableRow>
              )
            })
          })}
        </TableBody>
      </Table>
    </TableContainer>
  )
}
