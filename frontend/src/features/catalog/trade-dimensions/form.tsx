import { TextField } from '~/kit/form/fields'
import { RecordForm } from '~/kit/records/record-form'
import { tradeDimensions } from './api'
import { clusterEntries } from './cluster-text'
import { LengthRangesEditor } from './length-ranges-editor'
import { tradeDimension } from './resource'
import { toForm, tradeDimensionSchema } from './schema'

export default function TradeDimensionForm() {
  return (
    <RecordForm
      resource={tradeDimension}
      api={tradeDimensions}
      schema={tradeDimensionSchema}
      toForm={toForm}
      width="md"
      entries={{ clusters: clusterEntries }}
    >
      {(form, row) => (
        <>
          <TextField control={form.control} name="name" required max={255} autoFocus={row === null} />
          <LengthRangesEditor form={form} />
        </>
      )}
    </RecordForm>
  )
}
