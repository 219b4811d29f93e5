import { DecimalField, TextField } from '~/kit/form/fields'
import { RecordForm } from '~/kit/form/record-form'
import { useAccess } from '~/session/access'
import { materials } from './api'
import { materialSchema, toForm } from './schema'

export default function MaterialForm() {
  const may = useAccess('material', { platform: true })
  return (
    <RecordForm ns="materials" api={materials} schema={materialSchema} toForm={toForm} name={(row) => row.name} may={may}>
      {({ control }, row) => (
        <>
          <TextField control={control} name="name" required max={255} autoFocus={row === null} />
          <TextField control={control} name="display_name" max={255} />
          <TextField control={control} name="article_number_name" max={255} />
          <TextField control={control} name="material_number" mono />
          <DecimalField control={control} name="density" unit="kg/dm³" />
        </>
      )}
    </RecordForm>
  )
}
