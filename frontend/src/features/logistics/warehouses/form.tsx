import { RecordForm } from '~/kit/records/record-form'
import { useTabOf } from '~/kit/records/use-tab-of'
import { warehouses } from './api'
import { WarehouseFields } from './fields'
import { warehouse } from './resource'
import { toForm, warehouseSchema } from './schema'

export default function WarehouseForm() {
  // a new warehouse opens on its page, which shows when an order is ready
  const created = useTabOf(warehouse, 'details')
  return (
    <RecordForm resource={warehouse} api={warehouses} schema={warehouseSchema} toForm={toForm} created={created}>
      {({ control }) => <WarehouseFields control={control} isNew />}
    </RecordForm>
  )
}
