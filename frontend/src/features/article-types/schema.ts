import {
  type ArticleType,
  attributeTypeValues,
  dimensionValues,
  shapeValues,
  type TypeAttributeInput,
  type UnitOfMeasure,
  unitValues,
} from '~/api/schema'
import { bodySchema, choice, code, nullableEnum, nullableRef, text, z } from '~/kit/form/schema'
import type { ArticleTypeBody } from './api'
import { unmeasured, weighsIn } from './shape'

// what the form shows of an attribute is not sent
const attribute = z.pipe(
  z.object({
    attribute_id: z.number(),
    name: z.string(),
    placeholder: z.string(),
    type: z.enum(attributeTypeValues),
    primary: z.boolean(),
    dimension: nullableEnum(dimensionValues),
  }),
  z.transform(({ attribute_id, primary, dimension }): TypeAttributeInput => ({ attribute_id, primary, dimension })),
)

const shape = bodySchema<ArticleTypeBody>()({
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

interface Issue {
  path: (string | number)[]
  message: string
}

/** No two attributes measure the same, and a section is measured and kept as its weight needs it. */
export function sectionRules({
  section,
  base_unit_of_measure: base,
  attributes,
}: Pick<ArticleTypeBody, 'section' | 'base_unit_of_measure' | 'attributes'>): Issue[] {
  const repeated = attributes.flatMap(({ dimension }, at) =>
    dimension && attributes.findIndex((one) => one.dimension === dimension) < at
      ? [{ path: ['attributes', at, 'dimension'], message: 'duplicate' }]
      : [],
  )
  if (!section) return repeated
  const missing = unmeasured(section, attributes)
  return [
    ...repeated,
    ...(missing.length > 0 ? [{ path: ['section'], message: 'articleTypes:dimensionMissing' }] : []),
    ...(weighsIn(section, base)
      ? []
      : [
          {
            path: ['base_unit_of_measure'],
            message: code('articleTypes:sectionBaseUnit', { context: section === 'sheet' ? 'sheet' : 'bar' }),
          },
        ]),
  ]
}

export const articleTypeSchema = shape.check(({ value, issues }) => {
  for (const issue of sectionRules(value)) issues.push({ code: 'custom', input: value, ...issue })
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
  attributes: (row?.attributes ?? []).map(({ attribute_id, name, placeholder, type, primary, dimension }) => ({
    attribute_id,
    name,
    placeholder,
    type,
    primary,
    dimension: dimension ?? ('' as const),
  })),
  article_number_template: row?.article_number_template ?? '',
  article_name_template: row?.article_name_template ?? '',
})

export type ArticleTypeForm = ReturnType<typeof toForm>
