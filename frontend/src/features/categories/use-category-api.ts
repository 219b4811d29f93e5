import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isApiError } from '~/api/errors'
import type { Category } from '~/api/schema'
import type { RecordApi } from '~/kit/form/record-editor'
import { categories } from './api'
import type { ImageName } from './ref'
import type { CategoryBody } from './schema'

const NAMES: readonly ImageName[] = ['image', 'article_type_image']
export type Progress = Partial<Record<ImageName, number>>

/** Saves a category and then its pictures. When a picture is refused, the next try goes on from what has been saved. */
export function useCategoryApi(): { api: RecordApi<Category, CategoryBody> & { usage: typeof categories.usage }; progress: Progress } {
  const { t } = useTranslation('categories')
  const [progress, setProgress] = useState<Progress>({})
  const saved = useRef<Category | null>(null)
  const sent = useRef(new Set<File>())
  const left = useRef<AbortController>(null)
  useEffect(() => {
    const controller = new AbortController()
    left.current = controller
    return () => controller.abort()
  }, [])

  const api = useMemo(() => {
    async function picture(row: Category, name: ImageName, { file, version }: CategoryBody[ImageName]): Promise<Category> {
      if (!file) return version === null && row[name] ? categories.removeImage(row.id, name) : row
      if (sent.current.has(file)) return row
      try {
        const changed = await categories.setImage(row.id, name, file, row.version, {
          onProgress: (share) => setProgress({ [name]: share }),
          signal: left.current?.signal ?? new AbortController().signal,
        })
        sent.current.add(file)
        return changed
      } catch (error) {
        throw isApiError(error) ? atField(error, name) : error
      } finally {
        setProgress({})
      }
    }

    /** The server knows the field as `file`; the rest of the form is saved, which is worth telling. */
    function atField(error: ApiError, name: ImageName): ApiError {
      const { file, ...others } = error.fields
      const fields = file ? { ...others, [name]: [`${file.join(' ')}. ${t('pictureNotSaved')}`] } : others
      return new ApiError({ ...error, message: error.message, fields })
    }

    async function save({ image, article_type_image, ...body }: CategoryBody, id: number | null, version: number): Promise<Category> {
      const known = saved.current
      try {
        let row =
          known || id !== null
            ? await categories.update(known?.id ?? id ?? 0, { ...body, version: known?.version ?? version })
            : await categories.create(body)
        saved.current = row
        for (const name of NAMES) {
          row = await picture(row, name, { image, article_type_image }[name])
          saved.current = row
        }
        return row
      } catch (error) {
        // somebody else was faster: what this form knows of the record comes from the conflict from now on
        if (isApiError(error, 'stale') && id !== null) saved.current = null
        throw error
      }
    }

    return {
      one: categories.one,
      usage: categories.usage,
      create: (body: CategoryBody) => save(body, null, 0),
      update: (id: number, { version, ...body }: CategoryBody & { version: number }) => save(body, id, version),
    }
  }, [t])
  return { api, progress }
}
