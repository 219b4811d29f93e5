import type { PriceAdjustment } from '~/api/schema'
import { RecordForm } from '~/kit/form/record-form'
import { priceAdjustments } from './api'
import { PriceAdjustmentFields } from './fields'
import { priceAdjustment } from './resource'
import { priceAdjustmentSchema, toCopy, toForm } from './schema'

export default function PriceAdjustmentForm() {
  return (
    <RecordForm of={priceAdjustment} api={priceAdjustments} schema={priceAdjustmentSchema} toForm={toForm} copy={toCopy} width="md">
      {({ control }, row: PriceAdjustment | null) => <PriceAdjustmentFields control={control} row={row} />}
    </RecordForm>
  )
}
