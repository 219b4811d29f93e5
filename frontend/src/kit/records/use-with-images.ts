import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isApiError } from '~/api/errors'
import type { UploadOptions } from '~/api/upload'
import type { ImageValue } from '~/kit/form/image-field'
import type { RecordApi, Versioned } from './record-editor'

type Pictures<Name extends string> = Record<Name, { version: string } | null>

/** Operations of a record and of its images. */
interface Operations<Row, Body, Name extends string> extends RecordApi<Row, Body> {
  setImage: (id: number, name: Name, file: File, version: number, options: Omit<UploadOptions, 'method'>) => Promise<Row>
  removeImage: (id: number, name: Name) => Promise<Row>
}

export type Progress<Name extends string> = Partial<Record<Name, number>>

/**
 * Saves a record and then its images. If an image is refused, the next attempt continues after what has been
 * saved.
 */
export function useWithImages<Row extends Versioned & Pictures<Name>, Body, Name extends string>(
  operations: Operations<Row, Body, Name>,
  names: readonly Name[],
): { api: RecordApi<Row, Body & Record<Name, ImageValue>>; progress: Progress<Name> } {
  const { t } = useTranslation('image')
  const [progress, setProgress] = useState<Progress<Name>>({})
  const saved = useRef<Row | null>(null)
  const sent = useRef(new Set<File>())
  const uploadAbort = useRef<AbortController>(null)
  useEffect(() => {
    const controller = new AbortController()
    uploadAbort.current = controller
    return () => controller.abort()
  }, [])

  const api = useMemo(() => {
    async function picture(row: Row, name: Name, { file, version }: ImageValue): Promise<Row> {
      if (!file) return version === null && row[name] ? operations.removeImage(row.id, name) : row
      if (sent.current.has(file)) return row
      try {
        const changed = await operations.setImage(row.id, name, file, row.version, {
          onProgress: (share) => setProgress({ [name]: share } as Progress<Name>),
          signal: uploadAbort.current?.signal ?? new AbortController().signal,
        })
        sent.current.add(file)
        return changed
      } catch (error) {
        throw isApiError(error) ? atField(error, name) : error
      } finally {
        setProgress({})
      }
    }

    /**
     * Moves an error from `file`, as the server calls it, to the form's field, and adds that the other
     * fields are saved.
     */
    function atField(error: ApiError, name: Name): ApiError {
      const { file, ...others } = error.fields
      const fields = file ? { ...others, [name]: [`${file.join(' ')}. ${t('othersSaved')}`] } : others
      return new ApiError({ ...error, message: error.message, fields })
    }

    async function save(values: Body & Record<Name, ImageValue>, id: number | null, version: number): Promise<Row> {
      const own = Object.entries(values as object).filter(([name]) => !(names as readonly string[]).includes(name))
      const body = Object.fromEntries(own) as Body
      const savedRow = saved.current
      try {
        let row =
          savedRow || id !== null
            ? await operations.update(savedRow?.id ?? id ?? 0, { ...body, version: savedRow?.version ?? version })
            : await operations.create(body)
        saved.current = row
        for (const name of names) {
          row = await picture(row, name, values[name])
          saved.current = row
        }
        return row
      } catch (error) {
        // another person was faster: the conflict dialog now supplies the record and its version
        if (isApiError(error, 'stale') && id !== null) saved.current = null
        throw error
      }
    }

    return {
      one: operations.one,
      ...(operations.usage && { usage: operations.usage }),
      create: (body: Body & Record<Name, ImageValue>) => save(body, null, 0),
      update: (id: number, { version, ...body }: Body & Record<Name, ImageValue> & { version: number }) =>
        save(body as unknown as Body & Record<Name, ImageValue>, id, version),
    }
  }, [t, operations, names])
  return { api, progress }
}
