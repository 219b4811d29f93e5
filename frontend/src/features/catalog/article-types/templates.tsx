import { type UseFormReturn, useWatch } from 'react-hook-form'
import type { ArticleTypePreview } from '~/api/schema'
import { type Insertable, TemplateField } from '~/features/catalog/shared/template-field'
import { usePreview } from '~/kit/form/use-preview'
import { articleTypes } from './api'
import { Examples } from './examples'
import type { ArticleTypeBody, ArticleTypeForm } from './schema'

const TEMPLATES = ['article_number_template', 'article_name_template'] as const

/** Returns the placeholders of one template; the number must contain every primary attribute. */
export function insertables(preview: ArticleTypePreview, template: (typeof TEMPLATES)[number]): Insertable[] {
  const number = template === 'article_number_template'
  const missing = new Set(number ? preview.missing_primary.map((one) => one.placeholder) : [])
  return preview.placeholders.map(({ placeholder, name, used_in_number, used_in_name }) => {
    const used = number ? used_in_number : used_in_name
    return { placeholder, name, state: missing.has(placeholder) ? 'missing' : used ? 'used' : 'free' }
  })
}

interface Props {
  form: UseFormReturn<ArticleTypeForm, unknown, ArticleTypeBody>
  id: number | null
}

/** Fields for both templates, with the resulting example articles. */
export function TemplateFields({ form: { control }, id }: Props) {
  const values = useWatch({ control }) as ArticleTypeForm
  const preview = usePreview(articleTypes.preview, {
    id,
    name: values.name,
    article_number_template: values.article_number_template,
    article_name_template: values.article_name_template,
    article_type_group_id: values.article_type_group_id,
    section: values.section || null,
    trade_dimension_id: values.trade_dimension_id,
    attributes: values.attributes.map(({ attribute_id, primary, dimension }) => ({ attribute_id, primary, dimension: dimension || null })),
    // no template shows the units, so any will do until they are chosen
    base_unit_of_measure: values.base_unit_of_measure || 'piece',
    listing_unit_of_measure: values.listing_unit_of_measure || 'piece',
    price_unit_of_measure: values.price_unit_of_measure || 'piece',
  })
  return (
    <>
      {TEMPLATES.map((name) => (
        <TemplateField
          key={name}
          control={control}
          name={name}
          placeholders={preview.data ? insertables(preview.data, name) : []}
          problem={values[name].trim() === '' ? null : (preview.data?.problems[name]?.join(' ') ?? null)}
        />
      ))}
      <Examples examples={preview.data?.examples ?? []} error={preview.error} />
    </>
  )
}
