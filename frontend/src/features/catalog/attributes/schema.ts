import { type Attribute, attributeTypeValues, type OptionInput, unitCategoryValues, unitValues } from '~/api/schema'
import { bodySchema, choice, code, duplicates, type Issue, nullableDecimal, nullableEnum, nullableText, text, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'

export type AttributeBody = BodyOf<'/api/admin/attributes'>

type OptionBody = OptionInput

const option = bodySchema<OptionBody>()({
  id: z.nullable(z.number()),
  name: text(),
  value: text(),
  display_value: nullableText(),
  weight_per_base_unit: nullableDecimal({ above: 0 }),
})

/** Checks that a categorial attribute has options and a metric one a unit category and a unit. */
export function typeRules(value: Pick<AttributeBody, 'type' | 'unit_category' | 'default_unit' | 'options'>): Issue[] {
  if (value.type === 'metric') {
    return (['unit_category', 'default_unit'] as const).flatMap((name) => (value[name] ? [] : [{ path: [name], message: 'required' }]))
  }
  if (value.type !== 'categorial') return []
  if (value.options.length === 0) return [{ path: ['options'], message: code('atLeast', { min: 1 }) }]
  return [...duplicates(value.options, 'options', 'name'), ...duplicates(value.options, 'options', 'value')]
}

const shape = bodySchema<AttributeBody>()({
  name: text(),
  type: choice(attributeTypeValues),
  primary: z.boolean(),
  unit_category: nullableEnum(unitCategoryValues),
  default_unit: nullableEnum(unitValues),
  options: z.array(option),
  weight_per_base_unit: nullableDecimal({ above: 0 }),
})

export const attributeSchema = z.pipe(
  // fields of another type are neither validated nor sent, though the form keeps them while the user tries
  // types
  z.transform(
    (form: AttributeForm): AttributeForm => ({
      ...form,
      ...(form.type !== 'categorial' && { options: [] }),
      ...(form.type !== 'metric' && { unit_category: '', default_unit: '', weight_per_base_unit: '' }),
    }),
  ),
  shape.check(({ value, issues }) => {
    for (const issue of typeRules(value)) issues.push({ code: 'custom', input: value, ...issue })
  }),
)

export const EMPTY_OPTION = { id: null as number | null, name: '', value: '', display_value: '', weight_per_base_unit: '' }

export const toForm = (row: Attribute | null) => ({
  name: row?.name ?? '',
  type: row?.type ?? ('categorial' as const),
  primary: row?.primary ?? false,
  unit_category: row?.unit_category ?? ('' as const),
  default_unit: row?.default_unit ?? ('' as const),
  options: row
    ? row.options.map((one) => ({
        id: one.id as number | null,
        name: one.name,
        value: one.value,
        display_value: one.display_value ?? '',
        weight_per_base_unit: one.weight_per_base_unit ?? '',
      }))
    : [EMPTY_OPTION],
  weight_per_base_unit: row?.weight_per_base_unit ?? '',
})

export type AttributeForm = ReturnType<typeof toForm>
