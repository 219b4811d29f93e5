import { articleRef } from '~/features/catalog/articles/ref'
import { warehouseRef } from '~/features/logistics/warehouses/ref'
import { TextField } from '~/kit/form/fields'
import { RefField } from '~/kit/form/ref-field'
import { RecordForm } from '~/kit/records/record-form'
import { matchings } from './api'
import { matching } from './resource'
import { matchingSchema, toForm } from './schema'

export default function MatchingForm() {
  return (
    <RecordForm resource={matching} api={matchings} schema={matchingSchema} toForm={toForm}>
      {({ control }, row) => (
        <>
          <TextField control={control} name="external_article_number" max={255} autoFocus={row === null} />
          <RefField control={control} name="article_id" source={articleRef} />
          <TextField control={control} name="external_warehouse_identifier" max={255} />
          <RefField control={control} name="warehouse_id" source={warehouseRef} />
          <TextField control={control} name="external_tenant_identifier" max={255} />
        </>
      )}
    </RecordForm>
  )
}
