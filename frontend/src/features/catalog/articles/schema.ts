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
import { type ImageValue, image } from '~/kit/form/image-field'
import { bodySchema, choice, choiceId, code, decimal, nullableEnum, nullableRef, ref, text, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'
import { fold } from '~/lib/fold'
import { readGtin } from '~/lib/gtin'

export type ArticleBody = BodyOf<'/api/admin/articles'>

/** What the form holds: the article, and its own picture, which is sent behind it. */
export interface WholeArticle extends ArticleBody {
  image: ImageValue
}

// a form holds every field of a value; the one of the attribute's type counts
const entered = {
  attribute_id: z.number(),
  option_id: z.string(),
  number: z.string(),
  unit: nullableEnum(unitValues),
  text: z.string(),
  dimension: nullableEnum(dimensionValues),
}

/** Nothing is less than nothing, and of the article itself only a radius may be nothing. */
export const measure = (dimension: Dimension | null) => decimal(dimension === null || dimension === 'radius' ? { min: 0 } : { above: 0 })

const value = z.pipe(
  z.discriminatedUnion('type', [
    z.object({ ...entered, type: z.literal('categorial'), option_id: choiceId() }),
    z.object({ ...entered, type: z.literal('metric') }).check(
      z.check(({ value: { dimension, number }, issues }) => {
        const found = measure(dimension).safeParse(number).error?.issues ?? []
        for (const { message } of found) issues.push({ code: 'custom', input: number, path: ['number'], message })
      }),
    ),
    z.object({ ...entered, type: z.literal('custom'), text: text() }),
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
export type ValueForm = z.input<typeof value>

const isFilled = ({ option_id, number, text }: ValueForm) => option_id !== '' || number !== '' || text !== ''

/** Some of the values, by the rules of each; none at all is no change. */
export const changedValues = z.pipe(
  z.array(z.custom<ValueForm>()).check(
    z.check(({ value: rows, issues }) => {
      if (!rows.some(isFilled)) issues.push({ code: 'custom', input: rows, path: [], message: 'articles:bulk.none' })
      for (const [at, row] of rows.entries()) {
        const found = isFilled(row) ? (value.safeParse(row).error?.issues ?? []) : []
        for (const { message, path } of found) issues.push({ code: 'custom', input: row, path: [at, ...path], message })
      }
    }),
  ),
  z.transform((rows): ValueInput[] => rows.filter(isFilled).map((row) => value.parse(row))),
)

export const WEIGHT = { above: 0 }

const otherNumber = z.object({ kind: choice(numberKindValues), number: text() }).check(
  z.check(({ value: { kind, number }, issues }) => {
    const found = kind === 'gtin' ? readGtin(number) : { gtin: number }
    if ('gtin' in found) return
    const message = 'form' in found ? 'articles:gtin.form' : code('articles:gtin.digit', found)
    issues.push({ code: 'custom', input: number, path: ['number'], message })
  }),
)
export type OtherNumberForm = { kind: NumberKind; number: string }

/** As two are the same: a GTIN however many digits it is written with. */
function compared({ kind, number }: OtherNumber): string {
  const gtin = kind === 'gtin' ? readGtin(number) : null
  return `${kind} ${gtin && 'gtin' in gtin ? gtin.gtin.padStart(14, '0') : fold(number)}`
}

const otherNumbers = z.array(otherNumber).check(
  z.check(({ value, issues }) => {
    const seen = new Set<string>()
    for (const [at, row] of value.entries()) {
      const text = compared(row)
      if (seen.has(text)) issues.push({ code: 'custom', input: row, path: [at, 'number'], message: 'duplicate' })
      seen.add(text)
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
  image: image(),
})

/** Whether a material is needed depends on the templates of the article type. */
export const articleSchema = (materialRequired: () => boolean) =>
  body.check(
    z.check(
      ({ value, issues }) => {
        if (value.material_id !== null || !materialRequired()) return
        issues.push({ code: 'custom', input: value, path: ['material_id'], message: 'required' })
      },
      // also where other fields are wrong: everything is told at once
      { when: () => true },
    ),
  )

/** A value for each attribute of the type; what was entered before stays where the attribute does. */
export function valuesOf(type: ArticleType, before: readonly ValueForm[]): ValueForm[] {
  return type.attributes.map(({ attribute_id, type, dimension }) => {
    const known = before.find((value) => value.attribute_id === attribute_id)
    return { option_id: '', number: '', unit: '', text: '', ...known, attribute_id, type, dimension: dimension ?? '' }
  })
}

/** An option as people choose it. */
export function optionText({ options }: Attribute, id: string): string {
  const option = options.find((one) => String(one.id) === id)
  return option?.display_value ?? option?.name ?? id
}

export const toForm = (row: Article | null) => ({
  article_type_id: row?.article_type.id ?? null,
  material_id: row?.material?.id ?? null,
  values: (row?.values ?? []).map(
    ({ attribute_id, type, option_id, number, unit, text, dimension }): ValueForm => ({
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
 * A new article like another one: its type, values and material. Number, name and weight follow from them again, since what was
 * written by hand was meant for the other one; so were other numbers, which no two articles share, and its own picture.
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

/** What the server can be asked about: the values that are complete already. */
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
