import Alert from '@mui/material/Alert'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { TextField } from '~/kit/form/fields'
import { RecordForm } from '~/kit/form/record-form'
import { useAccess } from '~/session/access'
import { articleTypes } from './api'
import { AttributesEditor } from './attributes-editor'
import { articleTypeSchema, toForm } from './schema'
import { Templates } from './templates'
import { typeAttributeEntries } from './type-attribute-text'
import { UnitFields } from './unit-fields'

export default function ArticleTypeForm() {
  const { t } = useTranslation('articleTypes')
  const format = useFormat()
  const may = useAccess('article_type', { platform: true })
  return (
    <RecordForm
      ns="articleTypes"
      api={articleTypes}
      schema={articleTypeSchema}
      toForm={toForm}
      name={(row) => row.name}
      may={may}
      width="md"
      entries={{ attributes: typeAttributeEntries }}
    >
      {(form, row) => {
        const count = row?.article_count ?? 0
        return (
          <>
            {may.update && count > 0 && <Alert severity="info">{t('fixed', { count, articles: format.decimal(count) })}</Alert>}
            <TextField control={form.control} name="name" required max={255} autoFocus={row === null} />
            <UnitFields form={form} fixed={count > 0} />
            <AttributesEditor form={form} fixed={count > 0} />
            <Templates form={form} id={row?.id ?? null} />
          </>
        )
      }}
    </RecordForm>
  )
}
