import Skeleton from '@mui/material/Skeleton'
import { useQueries } from '@tanstack/react-query'
import type { Control } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Attribute } from '~/api/schema'
import { useUnits } from '~/api/units'
import { attributeRef } from '~/features/catalog/attributes/ref'
import { UnitSelect } from '~/features/shared/quantity/unit-select'
import { DecimalField, EnumField, TextField } from '~/kit/form/fields'
import { FormErrors } from '~/kit/ui/form-errors'
import { type ArticleForm, type AttributeValueForm, optionText } from './schema'

interface Props<C, O> {
  control: Control<ArticleForm, C, O>
  values: readonly AttributeValueForm[]
  /** True if empty fields are left out, as in a bulk change. */
  optional?: boolean
}

/** One field for each attribute of the article type. */
export function ValueFields<C, O>({ control, values, optional = false }: Props<C, O>) {
  const form = control as unknown as Control<ArticleForm>
  const { attributes, error } = useQueries({
    queries: values.map((value) => attributeRef.one(value.attribute_id)),
    combine: (answers) => ({
      attributes: new Map(answers.flatMap(({ data }) => (data ? [[data.id, data] as const] : []))),
      error: answers.find((answer) => answer.error)?.error,
    }),
  })
  return (
    <>
      <FormErrors error={error} />
      {values.map(({ attribute_id }, at) => {
        const attribute = attributes.get(attribute_id)
        // the attributes of another type have other fields
        return attribute ? (
          <ValueField key={attribute_id} control={form} at={at} attribute={attribute} required={!optional} />
        ) : (
          !error && <Skeleton key={attribute_id} variant="rounded" height={64} />
        )
      })}
    </>
  )
}

interface FieldProps {
  control: Control<ArticleForm>
  at: number
  attribute: Attribute
}

function ValueField({ control, at, attribute, required }: FieldProps & { required: boolean }) {
  const { t } = useTranslation('articles')
  const shared = { control, label: attribute.name, required }
  if (attribute.type === 'custom') return <TextField {...shared} name={`values.${at}.text`} max={255} />
  if (attribute.type === 'metric') {
    return <DecimalField {...shared} name={`values.${at}.number`} unit={<MeasureUnit control={control} at={at} attribute={attribute} />} />
  }
  const labelOf = (id: string) => optionText(attribute, id)
  return (
    <EnumField
      {...shared}
      name={`values.${at}.option_id`}
      values={attribute.options.map(({ id }) => String(id))}
      labelOf={labelOf}
      none={t('bulk.unchanged')}
    />
  )
}

/** Unit that a number is entered in; the server stores it in the attribute's default unit. */
function MeasureUnit({ control, at, attribute }: FieldProps) {
  const { t } = useTranslation('articles')
  const units = useUnits().filter((one) => one.category === attribute.unit_category)
  return (
    <UnitSelect
      control={control}
      name={`values.${at}.unit`}
      units={units.map(({ unit }) => unit)}
      fallback={attribute.default_unit}
      label={t('unitOf', { name: attribute.name })}
    />
  )
}
