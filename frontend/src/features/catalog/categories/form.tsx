import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { Category } from '~/api/schema'
import { articleTypeRef } from '~/features/catalog/article-types/ref'
import { TextField } from '~/kit/form/fields'
import { ImageField } from '~/kit/form/image-field'
import { RefField } from '~/kit/form/ref-field'
import { RecordForm } from '~/kit/records/record-form'
import { useWithImages } from '~/kit/records/use-with-images'
import { useAddressParams } from '~/lib/address-params'
import { categories } from './api'
import { categoryRef, type ImageName } from './ref'
import { category } from './resource'
import { type CategoryBody, categorySchema, toForm } from './schema'
import { useInherited } from './use-inherited'

const IMAGE_NAMES: readonly ImageName[] = ['image', 'article_type_image']

export default function CategoryForm() {
  const { id } = useParams()
  const [params] = useAddressParams()
  const parent = Number(params.get('parent')) || null
  const toFormBelowParent = useMemo(() => (row: Category | null) => toForm(row, parent), [parent])
  const parents = useMemo(() => categoryRef(id === undefined ? null : Number(id)), [id])
  const { api, progress } = useWithImages(categories, IMAGE_NAMES)
  return (
    <RecordForm resource={category} api={api} schema={categorySchema} toForm={toFormBelowParent}>
      {({ control }, row) => (
        <>
          <TextField control={control} name="name" required max={255} autoFocus={row === null} />
          <TextField control={control} name="display_name" max={255} />
          <RefField control={control} name="parent_id" source={parents} />
          <InheritedFields control={control} row={row} progress={progress} />
        </>
      )}
    </RecordForm>
  )
}

interface Props {
  control: Control<ReturnType<typeof toForm>, unknown, CategoryBody>
  row: Category | null
}

/** Fields that inherit from a category above if they are empty. */
function InheritedFields({ control, row, progress }: Props & { progress: Partial<Record<ImageName, number>> }) {
  const { t } = useTranslation('categories')
  const { article_type, ...images } = useInherited(useWatch({ control, name: 'parent_id' }))
  const type = article_type && ` ${t('inherited.type', { name: article_type.name, from: article_type.from.name })}`
  const picture = (name: ImageName) => {
    const from = images[name]?.from.name
    const help = `${t(`help.${name}`)}${from ? ` ${t('inherited.picture', { from })}` : ''}`
    return <Picture control={control} row={row} name={name} help={help} progress={progress[name]} />
  }
  return (
    <>
      <RefField control={control} name="article_type_id" source={articleTypeRef} help={`${t('help.article_type_id')}${type ?? ''}`} />
      {picture('image')}
      {picture('article_type_image')}
    </>
  )
}

function Picture({ control, row, name, help, progress }: Props & { name: ImageName; help: string; progress: number | undefined }) {
  const version = row?.[name]?.version
  const storedImage = useQuery({ ...categories.image(row?.id ?? 0, name, version ?? ''), enabled: version !== undefined })
  return <ImageField control={control} name={name} help={help} stored={storedImage.data} progress={progress ?? null} />
}
