import {
  type ArticleType,
  attributeTypeValues,
  type Dimension,
  dimensionValues,
  shapeValues,
  type TypeAttributeInput,
  type UnitOfMeasure,
  unitValues,
} from '~/api/schema'
import { bodySchema, choice, code, duplicates, type Issue, nullableEnum, nullableRef, text, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'

export type ArticleTypeBody = BodyOf<'/api/admin/article-types'>

import { isMeasured } from './proposed-dimension'
import { canBeWeighedIn, isSheet, missingDimensions } from './shape'

// fields of an attribute that the form only displays are not sent
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

type Measured = Pick<ArticleTypeBody, 'section' | 'base_unit_of_measure' | 'trade_dimension_id' | 'attributes'>

export const measuresLength = (attributes: readonly { dimension?: Dimension | '' | null }[]) =>
  attributes.some(({ dimension }) => dimension === 'length')

/**
 * Checks that no two attributes measure the same dimension, that the section is measured and its unit allows
 * a weight, and that a ladder of commercial lengths has a length to apply to.
 */
export function measureRules({ section, base_unit_of_measure: base, trade_dimension_id, attributes }: Measured): Issue[] {
  const issues = duplicates(
    attributes.map(({ dimension }) => ({ dimension: dimension ?? '' })),
    'attributes',
    'dimension',
  )
  const add = (field: string, message: string) => issues.push({ path: [field], message })
  if (section && missingDimensions(section, attributes).length > 0) add('section', 'articleTypes:dimensionMissing')
  if (section && !canBeWeighedIn(section, base)) {
    add('base_unit_of_measure', code('articleTypes:sectionBaseUnit', { context: isSheet(section) ? 'sheet' : 'bar' }))
  }
  if (trade_dimension_id && !measuresLength(attributes)) add('trade_dimension_id', 'articleTypes:lengthMissing')
  return issues
}

export const articleTypeSchema = shape.check(({ value, issues }) => {
  for (const issue of measureRules(value)) issues.push({ code: 'custom', input: value, ...issue })
})

/**
 * Returns the units that a quantity in the base unit can also be given in: weight, pieces, and the measured
 * extent of the pieces.
 */
export function convertibleUnits(
  base: string,
  { section, attributes }: Pick<ArticleTypeForm, 'section' | 'attributes'>,
  units: readonly UnitOfMeasure[],
): UnitOfMeasure[] {
  const category = units.find((one) => one.unit === base)?.category
  if (!category) return []
  const categories = [
    category,
    'mass',
    'pieces',
    section && (isSheet(section) ? 'area' : 'length'),
    isMeasured('length', attributes) && 'length',
  ]
  return units.filter((one) => categories.includes(one.category))
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
