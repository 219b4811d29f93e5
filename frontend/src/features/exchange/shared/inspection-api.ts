import { change } from '~/api/change'
import { client, data } from '~/api/client'
import type { ImportInspection, ImportSettings, ImportType } from '~/api/schema'
import { ask, type UploadOptions } from '~/api/upload'
import { LIST } from './running'

const MAPPING = '/api/admin/imports/{id}/mapping'

export const inspections = {
  /** Looks at a file as an import of the type would read it. */
  inspect(
    file: File,
    { type, list, profile, reading }: { type: ImportType; list: number | null; profile: number | null; reading: ImportSettings | null },
    tenantId: number,
    options: UploadOptions,
  ): Promise<ImportInspection> {
    const form = new FormData()
    form.set('type', type)
    if (list !== null) form.set('price_list_id', String(list))
    if (profile !== null) form.set('profile_id', String(profile))
    if (reading !== null) form.set('settings', JSON.stringify(reading))
    form.set('file', file)
    return ask<ImportInspection>(`${LIST}/inspect?tenant_id=${tenantId}`, form, options)
  },
  /** Forgets the assignment of an earlier import. */
  forgetMapping: (id: number) => change(data(client.DELETE(MAPPING, { params: { path: { id } } }))),
}
