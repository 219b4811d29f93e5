import {
  type ApplyTo,
  adjustmentOperationValues,
  type Condition,
  calculationTypeValues,
  type ItemType,
  type PriceAdjustment,
  type PurchaseConstraints,
  type Unit,
  unitValues,
} from '~/api/schema'
import { nullableMoment, toMoment } from '~/features/pricing/shared/moment'
import { bodySchema, choice, code, type Issue, nullableDecimal, text, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'
import { compareDecimals } from '~/lib/decimal'
import { checkConditions } from './conditions/rules'
import { toGroup } from './conditions/tree'
import { SELECTOR_KINDS } from './selector-kinds'
import { valueIssues, valueShape } from './value-or-table'

export type PriceAdjustmentBody = BodyOf<'/api/admin/price-adjustments'>

interface ApplyToForm {
  kind: ApplyTo['kind']
  item_types: ItemType[]
  articles: number[]
  article_types: number[]
  categories: number[]
  materials: number[]
}

interface ConstraintsForm {
  min_quantity: string
  max_quantity: string
  multiple_of: string
  unit: Unit
}

type Constraints = Record<'min_quantity' | 'max_quantity' | 'multiple_of', string | null> & { unit: Unit }

const ids = () => z.array(z.number())

const applyTo = z.pipe(
  z
    .object({
      kind: z.enum(['item', 'item_type']),
      item_types: z.array(z.custom<ItemType>()),
      articles: ids(),
      article_types: ids(),
      categories: ids(),
      materials: ids(),
    })
    .check(({ value, issues }) => {
      const none = SELECTOR_KINDS.every((name) => value[name].length === 0)
      const path = value.kind === 'item' ? (none ? 'kind' : null) : value.item_types.length === 0 ? 'item_types' : null
      const message = value.kind === 'item' ? 'priceAdjustments:rules.nothingNamed' : code('atLeast', { min: 1 })
      if (path) issues.push({ code: 'custom', input: value, path: [path], message })
    }),
  z.transform(
    ({ kind, item_types, ...selectors }: ApplyToForm): ApplyTo =>
      kind === 'item' ? { kind, ...selectors } : { kind: 'item_type', item_types },
  ),
)

const quantity = () => nullableDecimal({ above: 0 })

const constraints = z.pipe(
  z
    .object({ min_quantity: quantity(), max_quantity: quantity(), multiple_of: quantity(), unit: choice(unitValues) })
    .check(({ value, issues }) => {
      const { min_quantity: min, max_quantity: max } = value
      if (min && max && compareDecimals(max, min) < 0) {
        issues.push({ code: 'custom', input: value, path: ['max_quantity'], message: code('notLess', { min }) })
      }
    }),
  z.transform((value: Constraints): PurchaseConstraints | null =>
    value.min_quantity || value.max_quantity || value.multiple_of ? value : null,
  ),
)

export const isRelative = (type: string) => type === 'relativeToAdjusted' || type === 'relativeToBase'

/** Maximum percentage of a discount and of a surcharge. */
const MAX_PERCENT = { discount: 100, surcharge: 1_000 } as const

function rules(body: PriceAdjustmentBody): Issue[] {
  const { operation, value, calculation_type, valid_from, valid_until } = body
  const maxPercent = MAX_PERCENT[operation]
  const isTooHigh = value !== null && isRelative(calculation_type) && compareDecimals(value, String(maxPercent)) > 0
  const endsBeforeStart = valid_from !== null && valid_until !== null && Date.parse(valid_until) <= Date.parse(valid_from)
  return [
    ...valueIssues(body),
    ...(isTooHigh ? [{ path: ['value'], message: code('priceAdjustments:rules.tooMuch', { max: maxPercent }) }] : []),
    ...(endsBeforeStart ? [{ path: ['valid_until'], message: 'priceAdjustments:rules.endsBefore' }] : []),
  ]
}

export const priceAdjustmentSchema = bodySchema<PriceAdjustmentBody>()({
  name: text(),
  active: z.boolean(),
  operation: choice(adjustmentOperationValues),
  ...valueShape(),
  calculation_type: choice(calculationTypeValues),
  conditions: z.nullable(z.custom<Condition>()).check(({ value, issues }) => {
    const conditionIssues = checkConditions(value).map((issue) => ({ ...issue, code: 'custom' as const, input: value, continue: true }))
    // after a change the form keeps errors of parts only if the whole has one, and only if that is first
    const [first] = conditionIssues
    if (first) issues.push({ ...first, path: [], message: 'priceAdjustments:rules.conditions' })
    // errors across fields are reported together with them
    issues.push(...conditionIssues)
  }),
  ignore_on_further_adjustments: z.boolean(),
  apply_to: applyTo,
  tenant_ids: ids(),
  tenant_group_ids: ids(),
  excluded_tenant_ids: ids(),
  purchase_constraints: constraints,
  valid_from: nullableMoment(),
  valid_until: nullableMoment(),
}).check(({ value, issues }) => {
  for (const issue of rules(value)) issues.push({ code: 'custom', input: value, ...issue })
})

const applyToForm = (value: ApplyTo | undefined): ApplyToForm => {
  const nothing = { articles: [], article_types: [], categories: [], materials: [] }
  if (value?.kind === 'item') return { ...nothing, ...value, item_types: ['article'] }
  return { kind: 'item_type', item_types: value?.item_types ?? ['article'], ...nothing }
}

const constraintsForm = (value: PurchaseConstraints | null | undefined): ConstraintsForm => ({
  min_quantity: value?.min_quantity ?? '',
  max_quantity: value?.max_quantity ?? '',
  multiple_of: value?.multiple_of ?? '',
  unit: value?.unit ?? 'piece',
})

export const toForm = (row: PriceAdjustment | null) => ({
  name: row?.name ?? '',
  active: row?.active ?? true,
  operation: row?.operation ?? ('surcharge' as const),
  value: row?.value ?? '',
  surcharge_table_id: row?.surcharge_table?.id ?? null,
  calculation_type: row?.calculation_type ?? ('perTon' as const),
  conditions: toGroup(row?.conditions ?? null),
  ignore_on_further_adjustments: row?.ignore_on_further_adjustments ?? false,
  apply_to: applyToForm(row?.apply_to),
  tenant_ids: row?.tenants.map(({ id }) => id) ?? [],
  tenant_group_ids: row?.tenant_groups.map(({ id }) => id) ?? [],
  excluded_tenant_ids: row?.excluded_tenants.map(({ id }) => id) ?? [],
  purchase_constraints: constraintsForm(row?.purchase_constraints),
  valid_from: toMoment(row?.valid_from ?? null),
  valid_until: toMoment(row?.valid_until ?? null),
})

export type PriceAdjustmentForm = ReturnType<typeof toForm>

/** Initial values for a copy of an adjustment, without its name. */
export const toCopy = (row: PriceAdjustment): PriceAdjustmentForm => ({ ...toForm(row), name: '' })
