import type { ShippingNode } from '~/api/schema'
import { ClosureCalendar } from '~/features/logistics/shared/calendar/closure-calendar'
import { useRecordPage } from '~/kit/records/record-page-context'
import { useAllowedOperations } from '~/kit/records/resources'
import { shippingNodes } from './api'
import { shippingNode } from './resource'

/** Calendar of a node. */
export default function ShippingNodeCalendar() {
  const { row } = useRecordPage<ShippingNode>()
  const may = useAllowedOperations(shippingNode)
  const close = ({ date, name }: { date: string; name: string }) => shippingNodes.close({ shipping_node_id: row.id, date, name })
  return (
    <ClosureCalendar
      query={(year) => shippingNodes.calendar(row.id, year)}
      calls={{ close, reopen: shippingNodes.reopen, restore: close }}
      isWritable={may.update}
    />
  )
}
