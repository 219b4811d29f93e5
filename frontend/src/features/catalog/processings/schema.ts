import { type Processing, processingTypeValues } from '~/api/schema'
import { bodySchema, choice, nullableText, text } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'

export type ProcessingBody = BodyOf<'/api/admin/processings'>

export const processingSchema = bodySchema<ProcessingBody>()({
  name: text(),
  display_name: nullableText(),
  type: choice(processingTypeValues),
  article_number_addition_template: text(),
})

export const toForm = (row: Processing | null) => ({
  name: row?.name ?? '',
  display_name: row?.display_name ?? '',
  type: row?.type ?? ('sawing' as const),
  article_number_addition_template: row?.article_number_addition_template ?? '',
})
