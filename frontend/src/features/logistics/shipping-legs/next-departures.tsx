import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { CalendarX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ShippingLeg } from '~/api/schema'
import { dayOffText } from '~/features/logistics/shared/itinerary/sentences'
import { useFormat } from '~/i18n/use-format'
import { useRecordPage } from '~/kit/records/record-page-context'
import { Card } from '~/kit/ui/card'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Waiting } from '~/kit/ui/waiting'
import { isZoneForeign, useConfig } from '~/session/config'
import { shippingLegs } from './api'

/** Upcoming departures of a saved leg, and those between them that do not run, with the reason. */
export default function NextDepartures() {
  const { t } = useTranslation('shippingLegs')
  const { row } = useRecordPage<ShippingLeg>()
  const format = useFormat()
  const { t: words } = useTranslation(['itinerary', 'warehouses'])
  const { time_zone: zone } = useConfig()
  const { data, error, refetch, isFetching } = useQuery(shippingLegs.next(row.id))
  const departures = data?.departures ?? []
  return (
    <Card title={t('next.title')} intro={isZoneForeign(zone) ? `${t('next.intro')} ${t('next.zone', { zone })}` : t('next.intro')}>
      {error && !data ? (
        <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />
      ) : !data ? (
        <Waiting />
      ) : departures.length === 0 ? (
        <Typography color="textSecondary">{t('next.none')}</Typography>
      ) : (
        <Table size="small" aria-label={t('next.title')} sx={{ '& td, & th': { px: 1, verticalAlign: 'top' } }}>
          <TableHead>
            <TableRow>
              <TableCell>{t('times.departure')}</TableCell>
              <TableCell>{t('times.order')}</TableCell>
              <TableCell>{t('times.arrival')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {departures.map(({ starts_at, order_by, arrives_at, runs, reason }) => (
              <TableRow key={starts_at}>
                <TableCell sx={runs ? {} : { color: 'text.secondary', textDecoration: 'line-through' }}>
                  {format.weekdayTime(starts_at, zone)}
                </TableCell>
                {runs ? (
                  <>
                    <TableCell>{format.weekdayTime(order_by, zone)}</TableCell>
                    <TableCell>{format.weekdayTime(arrives_at, zone)}</TableCell>
                  </>
                ) : (
                  <TableCell colSpan={2} sx={{ color: 'text.secondary' }}>
                    <CalendarX size={14} aria-hidden style={{ marginInlineEnd: 6, verticalAlign: '-2px' }} />
                    {t('next.dropped', {
                      reason:
                        reason === null || reason.code === 'dropped'
                          ? t('next.exception')
                          : dayOffText(reason, { t: words, lang: format.lang }),
                    })}
                  </TableCell>
                )}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
    </Card>
  )
}
