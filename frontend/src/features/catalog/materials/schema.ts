import type { Material } from '~/api/schema'
import { bodySchema, nullableDecimal, nullableText, text } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'

export type MaterialBody = BodyOf<'/api/admin/materials'>

export const materialSchema = bodySchema<MaterialBody>()({
  name: text(),
  display_name: nullableText(),
  article_number_name: nullableText(),
  material_number: nullableText({ rule: { test: /^\d\.\d{4}(\d{2})?$/, code: 'materialNumber' } }),
  density: nullableDecimal({ before: 3, after: 6, above: 0 }),
})

export const toForm = (row: Material | null) => ({
  name: row?.name ?? '',
  display_name: row?.display_name ?? '',
  article_number_name: row?.article_number_name ?? '',
  material_number: row?.material_number ?? '',
  density: row?.density ?? '',
})
