import { RecordPage } from '~/kit/records/record-page'
import { shippingLegs } from './api'
import { shippingLeg } from './resource'

export default function ShippingLegPage() {
  return <RecordPage of={shippingLeg} api={shippingLegs} />
}
