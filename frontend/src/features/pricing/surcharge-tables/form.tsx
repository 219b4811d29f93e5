import { RecordForm } from '~/kit/records/record-form'
import { useTabOf } from '~/kit/records/use-tab-of'
import { surchargeTables } from './api'
import { SurchargeTableFields } from './fields'
import { surchargeTable } from './resource'
import { surchargeTableSchema, toForm } from './schema'

export default function SurchargeTableForm() {
  const created = useTabOf(surchargeTable, 'values')
  return (
    <RecordForm resource={surchargeTable} api={surchargeTables} schema={surchargeTableSchema} toForm={toForm} created={created}>
      {({ control }) => <SurchargeTableFields control={control} row={null} />}
    </RecordForm>
  )
}
