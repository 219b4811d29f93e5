import type { Warehouse } from '~/api/schema'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { formatDuration } from '~/lib/duration'
import { warehouses } from './api'
import { warehouse } from './resource'

const col = columns<Warehouse>('warehouses')
const COLUMNS = [
  col.text('name'),
  col.text('short_code'),
  col.text('preparation_shift_time'),
  col.custom('preparation_duration_before', (row) => formatDuration(row.preparation_duration_before)),
  col.enum('region'),
  col.text('address', { optional: true }),
  col.tenant('tenant_id', (row) => row.tenant.short_code, { optional: true }),
  col.instant('updated_at', { card: false }),
]

export default function WarehouseList() {
  return <ResourceList resource={warehouse} api={warehouses} columns={COLUMNS} rowName={(row) => row.name} />
}
