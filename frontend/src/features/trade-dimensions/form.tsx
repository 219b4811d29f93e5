import { TextField } from '~/kit/form/fields'
import { RecordForm } from '~/kit/form/record-form'
import { useAccess } from '~/session/access'
import { tradeDimensions } from './api'
import { clusterEntries } from './cluster-text'
import { LadderEditor } from './ladder-editor'
import { toForm, tradeDimensionSchema } from './schema'

export default function TradeDimensionForm() {
  const may = useAccess('trade_dimension', { platform: true })
  return (
    <RecordForm
      ns="tradeDimensions"
      api={tradeDimensions}
      schema={tradeDimensionSchema}
      toForm={toForm}
      name={(row) => row.name}
      may={may}
      width="md"
      entries={{ clusters: clusterEntries }}
    >
      {(form, row) => (
        <>
          <TextField control={form.control} name="name" required max={255} autoFocus={row === null} />
          <LadderEditor form={form} />
        </>
      )}
    </RecordForm>
  )
}
