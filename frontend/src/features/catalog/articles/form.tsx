import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react'
import { type Control, type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Article } from '~/api/schema'
import { articleTypeRef } from '~/features/catalog/article-types/ref'
import { materialRef } from '~/features/catalog/materials/ref'
import { OverrideField } from '~/features/catalog/shared/override-field'
import { RefField } from '~/kit/form/ref-field'
import { ShownField } from '~/kit/form/shown-field'
import { usePreview } from '~/kit/form/use-preview'
import { RecordForm } from '~/kit/records/record-form'
import { useAllowedOperations } from '~/kit/records/resources'
import { type Progress, useWithImages } from '~/kit/records/use-with-images'
import { articles } from './api'
import { OtherNumbersEditor, otherNumberEntries, ShownOtherNumbers } from './other-numbers'
import { OwnPictureField, Picture } from './picture'
import { Quantities } from './quantities'
import { article } from './resource'
import { articleSchema, type ArticleForm as Form, toCopy, toDraft, toForm, valuesOf, type WholeArticle } from './schema'
import { NumberTaken } from './taken'
import { useArticleType } from './use-article-type'
import { ValueFields } from './value-fields'
import { valueEntries } from './value-text'
import { useWeight, useWeightFrom, useWeightHelp, useWeightLabel, useWeightSource, useWeightUnit } from './weight'

const IMAGES = ['image'] as const

export default function ArticleForm() {
  const may = useAllowedOperations(article)
  const materialRequired = useRef(false)
  const { api, progress } = useWithImages(articles, IMAGES)
  return (
    <RecordForm
      resource={article}
      api={api}
      schema={useMemo(() => articleSchema(() => materialRequired.current), [])}
      toForm={toForm}
      copy={toCopy}
      entries={{ values: valueEntries, other_numbers: otherNumberEntries }}
    >
      {(form, row) =>
        row && !may.update ? (
          <ShownArticle row={row} />
        ) : (
          <Fields form={form} row={row} materialRequired={materialRequired} progress={progress} />
        )
      }
    </RecordForm>
  )
}

type ArticleFormHandle = UseFormReturn<Form, unknown, WholeArticle>

interface FieldsProps {
  form: ArticleFormHandle
  row: Article | null
  /** Flag that the form's validation reads. */
  materialRequired: RefObject<boolean>
  progress: Progress<'image'>
}

function Fields({ form, row, materialRequired, progress }: FieldsProps) {
  const { t } = useTranslation('articles')
  const { control, setValue, getValues } = form
  const values = useWatch({ control }) as Form
  const type = useArticleType(row ? null : values.article_type_id)
  const preview = usePreview(articles.preview, toDraft(values)).data
  // until the preview arrives, show the values of the saved article
  const derived = preview ?? row
  const required = preview?.material_required ?? false
  useEffect(() => {
    materialRequired.current = required
    if (form.getFieldState('material_id').invalid) void form.trigger('material_id')
  }, [form, materialRequired, required])
  const fromTemplate = { control, from: t('from.template'), missing: t('missing.template'), max: 255 }
  const base = (row?.article_type ?? type)?.base_unit_of_measure
  const weightUnit = useWeightUnit(base)
  const weightLabel = useWeightLabel(base)
  const section = row ? row.section : type?.section
  const computed = derived?.weight_per_base_unit ?? null
  const weightFrom = useWeightFrom(section)
  const weightHelp = useWeightHelp({
    section,
    materialId: values.material_id,
    own: values.weight_per_base_unit,
    computedWeight: computed,
    unit: weightUnit,
  })
  return (
    <>
      <TypeRow type={values.article_type_id} row={row}>
        {row ? (
          <ShownField label={t('fields.article_type_id')} value={row.article_type.name} help={t('typeFixed')} />
        ) : (
          <RefField
            control={control}
            name="article_type_id"
            source={articleTypeRef}
            required
            // while no type is selected, the values entered so far are kept for the next one
            onPick={(_, picked) => picked && setValue('values', valuesOf(picked, getValues('values')))}
          />
        )}
      </TypeRow>
      {values.article_type_id !== null && (
        <>
          <ValueFields control={control} values={values.values} />
          <RefField control={control} name="material_id" source={materialRef} required={required} />
          <OverrideField
            {...fromTemplate}
            name="article_number"
            computedValue={derived?.article_number ?? null}
            note={<NumberTaken number={values.article_number ?? derived?.article_number ?? null} own={row?.article_number} />}
          />
          <OverrideField {...fromTemplate} name="article_name" computedValue={derived?.article_name ?? null} />
          <OverrideField
            control={control}
            name="weight_per_base_unit"
            label={weightLabel}
            computedValue={computed}
            from={weightFrom}
            missing={t('missing.weight')}
            unit={weightUnit}
            help={weightHelp}
          />
          <OtherNumbersEditor control={control as unknown as Control<Form>} />
          <OwnPictureField control={control} row={row} type={values.article_type_id} progress={progress.image ?? null} />
          {row && <Quantities article={row} changed={form.formState.isDirty} />}
        </>
      )}
    </>
  )
}

/**
 * Article type with the picture beside it, laid out so that fields below do not move when the picture loads.
 */
function TypeRow({ type, row, children }: { type: number | null; row: Article | null; children: ReactNode }) {
  return (
    <Stack direction="row" sx={{ gap: 2 }}>
      <Box sx={{ flex: 1, minWidth: 0, minHeight: 72 }}>{children}</Box>
      {type !== null && <Picture type={type} row={row} />}
    </Stack>
  )
}

/** Read-only view of an article, without loading its article type, attributes and material. */
function ShownArticle({ row }: { row: Article }) {
  const { t } = useTranslation('articles')
  return (
    <>
      <TypeRow type={row.article_type.id} row={row}>
        <ShownField label={t('fields.article_type_id')} value={row.article_type.name} />
      </TypeRow>
      {row.values.map(({ attribute_id, name, display }) => (
        <ShownField key={attribute_id} label={name} value={display} />
      ))}
      <ShownField label={t('fields.material_id')} value={row.material?.name ?? ''} />
      <ShownField label={t('fields.article_number')} value={row.article_number} />
      <ShownField label={t('fields.article_name')} value={row.article_name} />
      <ShownField label={useWeightLabel(row.article_type.base_unit_of_measure)} value={useWeight(row)} help={useWeightSource(row)} />
      <ShownOtherNumbers numbers={row.other_numbers} />
      <Quantities article={row} changed={false} />
    </>
  )
}
