import { useTranslation } from 'react-i18next'
import { ApiError } from '~/api/errors'
import { type Permission, permissionValues } from '~/api/schema'
import { usePermissionTexts } from '~/features/shared/permissions/texts'

const NAMES = permissionValues.map((name) => name.replaceAll('.', '\\.')).join('|')
/** Matches the name of a permission that is not part of a longer word. */
const PERMISSION = new RegExp(`(?<![\\w.-])(?:${NAMES})(?![\\w-]|\\.\\w)`, 'g')

interface SaveApi<Row, Body> {
  create: (body: Body) => Promise<Row>
  update: (id: number, body: Body & { version: number }) => Promise<Row>
}

/**
 * Wraps an API so that its error messages name permissions as the grid does, not by their technical names.
 */
export function useReadableErrors<Row, Body, Api extends SaveApi<Row, Body>>(api: Api & SaveApi<Row, Body>): Api {
  const { t } = useTranslation()
  const { full } = usePermissionTexts()
  const withPermissionNames = (text: string) =>
    text.replace(PERMISSION, (name) => t('list.filterText', { value: full(name as Permission) }))

  function rethrow(error: unknown): never {
    if (!(error instanceof ApiError)) throw error
    const fields = Object.entries(error.fields).map(([path, texts]) => [path, texts.map(withPermissionNames)])
    throw new ApiError({ ...error, message: withPermissionNames(error.message), fields: Object.fromEntries(fields) })
  }

  return {
    ...api,
    create: (body: Body) => api.create(body).catch(rethrow),
    update: (id: number, body: Body & { version: number }) => api.update(id, body).catch(rethrow),
  }
}
