import type { Category } from '~/api/schema'
import { type ImageValue, imageSchema } from '~/kit/form/image-field'
import { bodySchema, nullableRef, nullableText, text } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'

/** Contents of the form: the record and its pictures, which are sent one by one. */
export interface CategoryBody extends BodyOf<'/api/admin/categories'> {
  image: ImageValue
  article_type_image: ImageValue
}

export const categorySchema = bodySchema<CategoryBody>()({
  name: text(),
  display_name: nullableText(),
  parent_id: nullableRef(),
  article_type_id: nullableRef(),
  image: imageSchema(),
  article_type_image: imageSchema(),
})

const storedImage = (picture: Category['image']): ImageValue => ({ version: picture?.version ?? null, file: null })

/** Initial values of the form; a new category is placed below `parent`. */
export const toForm = (row: Category | null, parent: number | null = null) => ({
  name: row?.name ?? '',
  display_name: row?.display_name ?? '',
  parent_id: row ? (row.parent?.id ?? null) : parent,
  article_type_id: row?.article_type?.id ?? null,
  image: storedImage(row?.image ?? null),
  article_type_image: storedImage(row?.article_type_image ?? null),
})
