import { type ImportMappedColumn, type ImportProfile, type ImportSettings, importTypeValues } from '~/api/schema'
import { bodySchema, choice, text, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'

export type ImportProfileBody = BodyOf<'/api/admin/import-profiles'>

export const importProfileSchema = bodySchema<ImportProfileBody>()({
  name: text(),
  type: choice(importTypeValues),
  // read-only here; changed in the wizard while a file is imported
  settings: z.custom<ImportSettings>(() => true),
  mapping: z.custom<ImportMappedColumn[]>(() => true),
})

export const toForm = (row: ImportProfile | null) => ({
  name: row?.name ?? '',
  type: row?.type ?? ('Stock' as const),
  settings: row?.settings ?? {},
  mapping: row?.mapping ?? [],
})
