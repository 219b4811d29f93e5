import { RecordPage } from '~/kit/records/record-page'
import { warehouses } from './api'
import { warehouse } from './resource'

export default function WarehousePage() {
  return <RecordPage resource={warehouse} api={warehouses} />
}
