import { change } from '~/api/change'
import { client, data } from '~/api/client'
import type { ImportInspection, ImportSettings, ImportType, PriceFormat } from '~/api/schema'
import { ask, type UploadOptions } from '~/api/upload'
import { LIST } from './running'

const MAPPING = '/api/admin/imports/{id}/mapping'

/** How a file is read. */
export interface InspectedAs {
  type: ImportType
  /** The price list that it is for. */
  list: number | null
  /** The profile that it is read by. */
  profile: number | null
  /** The format of a price file that is no table. */
  format: PriceFormat | null
  /** Its chosen reading; null: that of the profile, or what is recognised. */
  reading: ImportSettings | null
}

export const inspections = {
  /** Looks at a file as an import of the type would read it. */
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
    return ask<ImportInspection>(`${LIST}/inspect?tenant_id=${tenantId}`, form, options)
  },
  /** Forgets the assignment of an earlier import. */
  forgetMapping: (id: number) => change(data(client.DELETE(MAPPING, { params: { path: { id } } }))),
}
