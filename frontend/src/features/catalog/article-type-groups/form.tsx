import { TextField } from '~/kit/form/fields'
import { RecordForm } from '~/kit/records/record-form'
import { articleTypeGroups } from './api'
import { articleTypeGroup } from './resource'
import { articleTypeGroupSchema, toForm } from './schema'

export default function ArticleTypeGroupForm() {
  return (
    <RecordForm resource={articleTypeGroup} api={articleTypeGroups} schema={articleTypeGroupSchema} toForm={toForm}>
      {({ control }, row) => (
        <>
          <TextField control={control} name="name" required max={255} autoFocus={row === null} />
          <TextField control={control} name="description" max={255} rows={3} />
        </>
      )}
    </RecordForm>
  )
}
