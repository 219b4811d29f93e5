import { type Control, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { processingTypeValues } from '~/api/schema'
import { TemplateField } from '~/features/catalog/shared/template-field'
import { useLabels } from '~/i18n/labels'
import { EnumField, TextField } from '~/kit/form/fields'
import { ShownField } from '~/kit/form/shown-field'
import { usePreview } from '~/kit/form/use-preview'
import { RecordForm } from '~/kit/records/record-form'
import { processings } from './api'
import { processing } from './resource'
import type { ProcessingBody } from './schema'
import { processingSchema, toForm } from './schema'

export default function ProcessingForm() {
  return (
    <RecordForm resource={processing} api={processings} schema={processingSchema} toForm={toForm}>
      {({ control }, row) => (
        <>
          <TextField control={control} name="name" required max={255} autoFocus={row === null} />
          <TextField control={control} name="display_name" max={255} />
          <EnumField control={control} name="type" values={processingTypeValues} required />
          <Addition control={control} />
        </>
      )}
    </RecordForm>
  )
}

const NAME = 'article_number_addition_template'

/** Template field with a preview of the number of a cut piece. */
function Addition({ control }: { control: Control<ReturnType<typeof toForm>, unknown, ProcessingBody> }) {
  const { t } = useTranslation('processings')
  const labels = useLabels('processings')
  const template = useWatch({ control, name: NAME })
  const preview = usePreview(processings.preview, { [NAME]: template }).data
  const empty = template.trim() === ''
  const placeholders = (preview?.placeholders ?? []).map((placeholder) => ({
    placeholder,
    name: labels.enum('placeholder', placeholder),
    state: template.includes(`{${placeholder}`) ? ('used' as const) : ('missing' as const),
  }))
  return (
    <>
      <TemplateField
        control={control}
        name={NAME}
        placeholders={placeholders}
        problem={empty ? null : (preview?.problems[NAME]?.join(' ') ?? null)}
      />
      <div aria-live="polite">
        <ShownField label={t('example.title')} value={preview?.example ?? t('example.none')} help={t('example.hint')} />
      </div>
    </>
  )
}
