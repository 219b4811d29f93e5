import { RecordForm } from '~/kit/records/record-form'
import { surchargeTables } from './api'
import { SurchargeTableFields } from './fields'
import { surchargeTable } from './resource'
import { surchargeTableSchema, toForm } from './schema'

export default function SurchargeTableForm() {
  return (
    <RecordForm of={surchargeTable} api={surchargeTables} schema={surchargeTableSchema} toForm={toForm}>
      {({ control }) => <SurchargeTableFields control={control} row={null} />}
    </RecordForm>
  )
}
