import { useQuery } from '@tanstack/react-query'
import { type Control, useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { ArticleRow, Unit } from '~/api/schema'
import { unitOptions } from '~/features/attributes/api'
import { useFormat } from '~/i18n/use-format'
import { DecimalField } from '~/kit/form/fields'
import { useFormScope } from '~/kit/form/form-context'
import type { ArticleForm } from './schema'

/** "kg/m"; kilograms alone as long as nobody knows of what. */
function useWeightUnit(base: Unit | undefined): string {
  const symbol = useQuery(unitOptions()).data?.data.find((one) => one.unit === base)?.symbol
  return symbol ? `kg/${symbol}` : 'kg'
}

export function WeightText({ row }: { row: ArticleRow }) {
  const format = useFormat()
  const unit = useWeightUnit(row.article_type.base_unit_of_measure)
  return row.weight_per_base_unit && `${format.decimal(row.weight_per_base_unit)}\u00a0${unit}`
}

/** A weight that was saved stays when values change; an empty one follows from them. */
export function WeightField<C, O>({ control, base }: { control: Control<ArticleForm, C, O>; base: Unit | undefined }) {
  const { t } = useTranslation('articles')
  const { readOnly } = useFormScope()
  const form = control as unknown as Control<ArticleForm>
  const { dirtyFields, defaultValues } = useFormState({ control: form })
  const outdated = defaultValues?.weight_per_base_unit && dirtyFields.values && !dirtyFields.weight_per_base_unit
  const help = readOnly ? '' : t(outdated ? 'checkWeight' : 'help.weight_per_base_unit')
  return <DecimalField control={form} name="weight_per_base_unit" unit={useWeightUnit(base)} help={help} />
}
