import { type ArticleType, dimensionValues, shapeValues, type TypeAttributeInput, type UnitOfMeasure, unitValues } from '~/api/schema'
import { bodySchema, choice, code, nullableEnum, nullableRef, text, z } from '~/kit/form/schema'
import type { ArticleTypeBody } from './api'

// what the form shows of an attribute is not sent
const attribute = z.pipe(
  z.object({
    attribute_id: z.number(),
    name: z.string(),
    placeholder: z.string(),
    primary: z.boolean(),
    dimension: nullableEnum(dimensionValues),
  }),
  z.transform(({ attribute_id, primary, dimension }): TypeAttributeInput => ({ attribute_id, primary, dimension })),
)

export const articleTypeSchema = bodySchema<ArticleTypeBody>()({
  name: text(),
  base_unit_of_measure: choice(unitValues),
  listing_unit_of_measure: choice(unitValues),
  price_unit_of_measure: choice(unitValues),
  article_type_group_id: nullableRef(),
  section: nullableEnum(shapeValues),
  trade_dimension_id: nullableRef(),
  attributes: z.array(attribute).check(
    z.minLength(1, code('atLeast', { min: 1 })),
    z.maxLength(100, code('atMost', { max: 100 })),
    z.refine((rows) => rows.length === 0 || rows.some((row) => row.primary), 'primaryRequired'),
  ),
  article_number_template: text(),
  article_name_template: text(),
})

/** A quantity in the base unit also has a weight, by the articles' weight per base unit, and comes in pieces. */
export function unitsBeside(base: string, units: readonly UnitOfMeasure[]): UnitOfMeasure[] {
  const category = units.find((one) => one.unit === base)?.category
  return category ? units.filter((one) => [category, 'mass', 'pieces'].includes(one.category)) : []
}

export const toForm = (row: ArticleType | null) => ({
  name: row?.name ?? '',
  base_unit_of_measure: row?.base_unit_of_measure ?? ('' as const),
  listing_unit_of_measure: row?.listing_unit_of_measure ?? ('' as const),
  price_unit_of_measure: row?.price_unit_of_measure ?? ('' as const),
  article_type_group_id: row?.group?.id ?? null,
  section: row?.section ?? ('' as const),
  trade_dimension_id: row?.trade_dimension?.id ?? null,
  attributes: (row?.attributes ?? []).map(({ attribute_id, name, placeholder, primary, dimension }) => ({
    attribute_id,
    name,
    placeholder,
    primary,
    dimension: dimension ?? ('' as const),
  })),
  article_number_template: row?.article_number_template ?? '',
  article_name_template: row?.article_name_template ?? '',
})

export type ArticleTypeForm = ReturnType<typeof toForm>
