import type { ShippingNode } from '~/api/schema'
import { NetworkTabs } from '~/features/logistics/shared/network-tabs'
import { useFormat } from '~/i18n/use-format'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { ActiveChip } from './active-chip'
import { shippingNodes } from './api'
import { shippingNode } from './resource'

function Coordinates({ row: { latitude, longitude } }: { row: ShippingNode }) {
  const { decimal } = useFormat()
  return latitude !== null && longitude !== null && `${decimal(latitude)}; ${decimal(longitude)}`
}

const col = columns<ShippingNode>('shippingNodes')
const COLUMNS = [
  col.text('name'),
  { ...col.text('address'), sort: null },
  col.custom('active', (row) => <ActiveChip isActive={row.active} />, { sort: '' }),
  col.custom('warehouse_id', (row) => row.warehouse && `${row.warehouse.short_code} · ${row.warehouse.name}`, { sort: '', card: false }),
  col.custom('incoming_legs', (row) => row.incoming_legs.length, { align: 'right', sort: '', card: false }),
  col.custom('outgoing_legs', (row) => row.outgoing_legs.length, { align: 'right', sort: '', card: false }),
  { ...col.enum('region', { optional: true }), sort: null },
  col.custom('coordinates', (row) => <Coordinates row={row} />, { sort: '', optional: true, noWrap: true }),
  col.instant('updated_at', { card: false }),
]

export default function ShippingNodeList() {
  return (
    <ResourceList resource={shippingNode} api={shippingNodes} columns={COLUMNS}>
      <NetworkTabs />
    </ResourceList>
  )
}
