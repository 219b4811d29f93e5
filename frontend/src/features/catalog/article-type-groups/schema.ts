import type { ArticleTypeGroup } from '~/api/schema'
import { bodySchema, nullableText, text } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'

export type ArticleTypeGroupBody = BodyOf<'/api/admin/article-type-groups'>

export const articleTypeGroupSchema = bodySchema<ArticleTypeGroupBody>()({
  name: text(),
  description: nullableText(),
})

export const toForm = (row: ArticleTypeGroup | null) => ({
  name: row?.name ?? '',
  description: row?.description ?? '',
})
