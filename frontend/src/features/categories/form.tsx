import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Control } from 'react-hook-form'
import { useParams, useSearchParams } from 'react-router'
import type { Category } from '~/api/schema'
import { articleTypeRef } from '~/features/article-types/api'
import { RefField, TextField } from '~/kit/form/fields'
import { ImageField } from '~/kit/form/image-field'
import { RecordForm } from '~/kit/form/record-form'
import { useAccess } from '~/session/access'
import { categories, categoryRef, type ImageName } from './api'
import { type CategoryBody, categorySchema, toForm } from './schema'
import { useCategoryApi } from './use-category-api'

export default function CategoryForm() {
  const may = useAccess('category', { platform: true })
  const { id } = useParams()
  const [params] = useSearchParams()
  const parent = Number(params.get('parent')) || null
  const fill = useMemo(() => (row: Category | null) => toForm(row, parent), [parent])
  const parents = useMemo(() => categoryRef(id === undefined ? null : Number(id)), [id])
  const { api, progress } = useCategoryApi()
  return (
    <RecordForm ns="categories" api={api} schema={categorySchema} toForm={fill} name={(row) => row.name} may={may}>
      {({ control }, row) => (
        <>
          <TextField control={control} name="name" required max={255} autoFocus={row === null} />
          <TextField control={control} name="display_name" max={255} />
          <RefField control={control} name="parent_id" source={parents} />
          <RefField control={control} name="article_type_id" source={articleTypeRef} />
          <Picture control={control} row={row} name="image" progress={progress.image} />
          <Picture control={control} row={row} name="article_type_image" progress={progress.article_type_image} />
        </>
      )}
    </RecordForm>
  )
}

interface PictureProps {
  control: Control<ReturnType<typeof toForm>, unknown, CategoryBody>
  row: Category | null
  name: ImageName
  progress: number | undefined
}

function Picture({ control, row, name, progress }: PictureProps) {
  const version = row?.[name]?.version
  const kept = useQuery({ ...categories.image(row?.id ?? 0, name, version ?? ''), enabled: version !== undefined })
  return <ImageField control={control} name={name} kept={kept.data} progress={progress ?? null} />
}
