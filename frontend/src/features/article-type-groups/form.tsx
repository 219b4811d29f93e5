import { TextField } from '~/kit/form/fields'
import { RecordForm } from '~/kit/form/record-form'
import { useAccess } from '~/session/access'
import { articleTypeGroups } from './api'
import { articleTypeGroupSchema, toForm } from './schema'

export default function ArticleTypeGroupForm() {
  const may = useAccess('article-type-group', { platform: true })
  return (
    <RecordForm
      ns="articleTypeGroups"
      api={articleTypeGroups}
      schema={articleTypeGroupSchema}
      toForm={toForm}
      name={(row) => row.name}
      may={may}
    >
      {({ control }, row) => (
        <>
          <TextField control={control} name="name" required max={255} autoFocus={row === null} />
          <TextField control={control} name="description" max={255} rows={3} />
        </>
      )}
    </RecordForm>
  )
}
