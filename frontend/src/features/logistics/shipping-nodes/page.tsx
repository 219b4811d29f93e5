import { RecordPage } from '~/kit/records/record-page'
import { ActiveChip } from './active-chip'
import { shippingNodes } from './api'
import { shippingNode } from './resource'

export default function ShippingNodePage() {
  return <RecordPage resource={shippingNode} api={shippingNodes} state={({ active }) => <ActiveChip isActive={active} />} />
}
