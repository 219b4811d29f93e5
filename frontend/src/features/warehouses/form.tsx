import { regionValues } from '~/api/schema'
import { EnumField, TextField } from '~/kit/form/fields'
import { RecordForm } from '~/kit/form/record-form'
import { DurationField, TimeField } from '~/kit/form/time-fields'
import { warehouses } from './api'
import { warehouse } from './resource'
import { toForm, warehouseSchema } from './schema'

export default function WarehouseForm() {
  return (
    <RecordForm of={warehouse} api={warehouses} schema={warehouseSchema} toForm={toForm}>
      {({ control }, row) => (
        <>
          <TextField control={control} name="name" required max={255} autoFocus={row === null} />
          <TextField control={control} name="short_code" required max={255} />
          <TimeField control={control} name="preparation_shift_time" />
          <DurationField control={control} name="preparation_duration_before" required />
          <TextField control={control} name="address" max={255} />
          <EnumField control={control} name="region" values={regionValues} />
        </>
      )}
    </RecordForm>
  )
}
