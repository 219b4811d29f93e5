import { RecordForm } from '~/kit/records/record-form'
import { warehouses } from './api'
import { WarehouseFields } from './fields'
import { warehouse } from './resource'
import { toForm, warehouseSchema } from './schema'

export default function WarehouseForm() {
  return (
    <RecordForm of={warehouse} api={warehouses} schema={warehouseSchema} toForm={toForm}>
      {({ control }) => <WarehouseFields control={control} fresh />}
    </RecordForm>
  )
}
