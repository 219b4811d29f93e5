import {
  type Article,
  type ArticleType,
  type Attribute,
  type Dimension,
  dimensionValues,
  type NumberKind,
  numberKindValues,
  type OtherNumber,
  unitValues,
  type ValueInput,
} from '~/api/schema'
import { type ImageValue, imageSchema } from '~/kit/form/image-field'
import { bodySchema, choice, choiceId, code, decimal, nullableEnum, nullableRef, ref, text, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'
import { fold } from '~/lib/fold'
import { readGtin } from '~/lib/gtin'

export type ArticleBody = BodyOf<'/api/admin/articles'>

/** Contents of the form: the article and its own picture, which is uploaded after the article is saved. */
export interface WholeArticle extends ArticleBody {
  image: ImageValue
}

// the form has every field of a value; only the one for the attribute's type is sent
const valueFields = {
  attribute_id: z.number(),
  option_id: z.string(),
  number: z.string(),
  unit: nullableEnum(unitValues),
  text: z.string(),
  dimension: nullableEnum(dimensionValues),
}

/**
 * Schema of a measure: never negative, and for dimensions of the article positive, except a radius, which
 * may be zero.
 */
export const measure = (dimension: Dimension | null) => decimal(dimension === null || dimension === 'radius' ? { min: 0 } : { above: 0 })

const value = z.pipe(
  z.discriminatedUnion('type', [
    z.object({ ...valueFields, type: z.literal('categorial'), option_id: choiceId() }),
    z.object({ ...valueFields, type: z.literal('metric') }).check(
      z.check(({ value: { dimension, number }, issues }) => {
        const numberIssues = measure(dimension).safeParse(number).error?.issues ?? []
        for (const { message } of numberIssues) issues.push({ code: 'custom', input: number, path: ['number'], message })
      }),
    ),
    z.object({ ...valueFields, type: z.literal('custom'), text: text() }),
  ]),
  z.transform(
    ({ type, attribute_id, option_id, number, unit, text }): Required<ValueInput> => ({
      attribute_id,
      option_id: type === 'categorial' ? option_id : null,
      number: type === 'metric' ? number : null,
      unit: type === 'metric' ? unit : null,
      text: type === 'custom' ? text : null,
    }),
  ),
)
export type AttributeValueForm = z.input<typeof value>

const isFilled = ({ option_id, number, text }: AttributeValueForm) => option_id !== '' || number !== '' || text !== ''

/** Values of a bulk change, each validated by its own rules; at least one is required. */
export const changedValues = z.pipe(
  z.array(z.custom<AttributeValueForm>()).check(
    z.check(({ value: rows, issues }) => {
      if (!rows.some(isFilled)) issues.push({ code: 'custom', input: rows, path: [], message: 'articles:bulk.none' })
      for (const [at, row] of rows.entries()) {
        const rowIssues = isFilled(row) ? (value.safeParse(row).error?.issues ?? []) : []
        for (const { message, path } of rowIssues) issues.push({ code: 'custom', input: row, path: [at, ...path], message })
      }
    }),
  ),
  z.transform((rows): ValueInput[] => rows.filter(isFilled).map((row) => value.parse(row))),
)

export const WEIGHT = { above: 0 }

const otherNumber = z.object({ kind: choice(numberKindValues), number: text() }).check(
  z.check(({ value: { kind, number }, issues }) => {
    const result = kind === 'gtin' ? readGtin(number) : { gtin: number }
    if ('gtin' in result) return
    const message = 'form' in result ? 'articles:gtin.form' : code('articles:gtin.digit', result)
    issues.push({ code: 'custom', input: number, path: ['number'], message })
  }),
)
export type OtherNumberForm = { kind: NumberKind; number: string }

/** Normalised form of an other number, for finding duplicates: a GTIN is the same in each of its lengths. */
function comparisonKey({ kind, number }: OtherNumber): string {
  const gtin = kind === 'gtin' ? readGtin(number) : null
  return `${kind} ${gtin && 'gtin' in gtin ? gtin.gtin.padStart(14, '0') : fold(number)}`
}

const otherNumbers = z.array(otherNumber).check(
  z.check(({ value, issues }) => {
    const usedNumbers = new Set<string>()
    for (const [at, row] of value.entries()) {
      const text = comparisonKey(row)
      if (usedNumbers.has(text)) issues.push({ code: 'custom', input: row, path: [at, 'number'], message: 'duplicate' })
      usedNumbers.add(text)
    }
  }),
)

const body = bodySchema<WholeArticle>()({
  article_type_id: ref(),
  material_id: nullableRef(),
  values: z.array(value),
  article_number: z.nullable(text()),
  article_name: z.nullable(text()),
  weight_per_base_unit: z.nullable(decimal(WEIGHT)),
  other_numbers: otherNumbers,
  image: imageSchema(),
})

/** Schema of an article; the templates of its type decide if a material is required. */
export const articleSchema = (materialRequired: () => boolean) =>
  body.check(
    z.check(
      ({ value, issues }) => {
        if (value.material_id !== null || !materialRequired()) return
        issues.push({ code: 'custom', input: value, path: ['material_id'], message: 'required' })
      },
      // runs even if other fields are invalid, so that all errors are shown together
      { when: () => true },
    ),
  )

/**
 * Returns a value for each attribute of the type; values entered before are kept for attributes that stay.
 */
export function valuesOf(type: ArticleType, before: readonly AttributeValueForm[]): AttributeValueForm[] {
  return type.attributes.map(({ attribute_id, type, dimension }) => {
    const previous = before.find((value) => value.attribute_id === attribute_id)
    return { option_id: '', number: '', unit: '', text: '', ...previous, attribute_id, type, dimension: dimension ?? '' }
  })
}

/** Text of an option as users choose it. */
export function optionText({ options }: Attribute, id: string): string {
  const option = options.find((one) => String(one.id) === id)
  return option?.display_value ?? option?.name ?? id
}

export const toForm = (row: Article | null) => ({
  article_type_id: row?.article_type.id ?? null,
  material_id: row?.material?.id ?? null,
  values: (row?.values ?? []).map(
    ({ attribute_id, type, option_id, number, unit, text, dimension }): AttributeValueForm => ({
      attribute_id,
      type,
      option_id: option_id === null ? '' : String(option_id),
      number: number ?? '',
      unit: unit ?? '',
      text: text ?? '',
      dimension: dimension ?? '',
    }),
  ),
  article_number: row?.article_number_overridden ? row.article_number : null,
  article_name: row?.article_name_overridden ? row.article_name : null,
  weight_per_base_unit: row?.weight_per_base_unit_overridden ? row.weight_per_base_unit : null,
  other_numbers: (row?.other_numbers ?? []).map(({ kind, number }): OtherNumberForm => ({ kind, number })),
  image: { version: row?.image?.version ?? null, file: null } as ImageValue,
})

/**
 * Initial values for a copy of an article: its type, values and material. Number, name and weight are
 * computed again, since texts written by hand belong to the original. Other numbers, which are unique, and
 * the picture are left out.
 */
export const toCopy = (row: Article) => ({
  ...toForm(row),
  article_number: null,
  article_name: null,
  weight_per_base_unit: null,
  other_numbers: [],
  image: { version: null, file: null },
})

export type ArticleForm = ReturnType<typeof toForm>

/** Draft for the preview: the article with only those values that are complete. */
export function toDraft({ image: _, ...form }: ArticleForm): ArticleBody | null {
  if (form.article_type_id === null) return null
  const values = form.values.flatMap((one) => value.safeParse(one).data ?? [])
  return {
    ...form,
    article_type_id: form.article_type_id,
    values,
    article_number: null,
    article_name: null,
    weight_per_base_unit: null,
    other_numbers: [],
  }
}
