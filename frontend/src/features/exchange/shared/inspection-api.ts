import { change } from '~/api/change'
import { client, data } from '~/api/client'
import type { ImportInspection, ImportSettings, ImportType, PriceFormat } from '~/api/schema'
import { sendForm, type UploadOptions } from '~/api/upload'
import { IMPORTS_PATH } from './running'

const MAPPING = '/api/admin/imports/{id}/mapping'

/** Settings that a file is inspected with. */
export interface InspectedAs {
  type: ImportType
  /** Price list that the file is for. */
  list: number | null
  /** Import profile that the file is read with. */
  profile: number | null
  /** Format of a price file that is not a table. */
  format: PriceFormat | null
  /** Chosen reading settings; null for those of the profile or the recognised ones. */
  reading: ImportSettings | null
}

export const inspections = {
  /** Inspects a file as an import of the type would read it. */
  inspect(
    file: File,
    { type, list, profile, format, reading }: InspectedAs,
    tenantId: number,
    options: UploadOptions,
  ): Promise<ImportInspection> {
    const form = new FormData()
    form.set('type', type)
    if (list !== null) form.set('price_list_id', String(list))
    if (profile !== null) form.set('profile_id', String(profile))
    if (format !== null) form.set('price_format', format)
    if (reading !== null) form.set('settings', JSON.stringify(reading))
    form.set('file', file)
    return sendForm<ImportInspection>(`${IMPORTS_PATH}/inspect?tenant_id=${tenantId}`, form, options)
  },
  /** Deletes the remembered mapping of an earlier import. */
  forgetMapping: (id: number) => change(data(client.DELETE(MAPPING, { params: { path: { id } } }))),
}
