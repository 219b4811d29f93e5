import type { ShippingLeg } from '~/api/schema'
import { NetworkTabs } from '~/features/logistics/shared/network-tabs'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { formatDuration } from '~/lib/duration'
import { shippingLegs } from './api'
import { DepartureSummary } from './departure-summary'
import { shippingLeg } from './resource'

const col = columns<ShippingLeg>('shippingLegs')
const COLUMNS = [
  col.custom('name', shippingLeg.title),
  col.custom('travel_duration', (row) => formatDuration(row.travel_duration), { align: 'right' }),
  col.custom('departures', (row) => <DepartureSummary departures={row.departures} />, { sort: '' }),
  col.number('departures_per_week', { card: false }),
  col.text('order_time', { optional: true }),
  col.custom('preparation_duration', (row) => formatDuration(row.preparation_duration), { align: 'right', sort: '', optional: true }),
  col.custom('loading_duration', (row) => formatDuration(row.loading_duration), { align: 'right', sort: '', optional: true }),
  col.custom('unloading_duration', (row) => formatDuration(row.unloading_duration), { align: 'right', sort: '', optional: true }),
  col.custom('exceptions', (row) => row.exceptions.length, { align: 'right', sort: '', optional: true }),
  col.instant('updated_at', { card: false }),
]

export default function ShippingLegList() {
  return (
    <ResourceList resource={shippingLeg} api={shippingLegs} columns={COLUMNS} copyable>
      <NetworkTabs />
    </ResourceList>
  )
}
