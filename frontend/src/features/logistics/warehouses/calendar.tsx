import type { Warehouse } from '~/api/schema'
import { ClosureCalendar } from '~/features/logistics/shared/calendar/closure-calendar'
import { useRecordPage } from '~/kit/records/record-page-context'
import { useAllowedOperations } from '~/kit/records/resources'
import { warehouses } from './api'
import { warehouse } from './resource'

/** Calendar of a warehouse. */
export default function WarehouseCalendar() {
  const { row } = useRecordPage<Warehouse>()
  const may = useAllowedOperations(warehouse)
  return (
    <ClosureCalendar
      query={(year) => warehouses.calendar(row.id, year)}
      calls={{
        close: ({ scope, ...body }) => warehouses.close({ ...body, warehouse_id: scope === 'one' ? row.id : null }),
        reopen: warehouses.reopen,
        restore: ({ date, name, warehouse_id }) => warehouses.close({ date, name, warehouse_id }),
      }}
      isWritable={may.update}
      hasScopes
    />
  )
}
