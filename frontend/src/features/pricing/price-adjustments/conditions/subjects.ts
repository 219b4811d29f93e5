import {
  type ConditionOperator,
  type ConditionType,
  type ConditionValue,
  conditionOperatorValues,
  conditionTypeValues,
  type Permission,
  type Unit,
} from '~/api/schema'
import { articleTypeRef } from '~/features/catalog/article-types/ref'
import { articleRef } from '~/features/catalog/articles/ref'
import { categoryRef } from '~/features/catalog/categories/ref'
import { materialRef } from '~/features/catalog/materials/ref'
import { processingRef } from '~/features/catalog/processings/ref'
import { partnerRef } from '~/features/exchange/partners/ref'
import { tenantGroupRef } from '~/features/identity/tenant-groups/ref'
import { warehouseRef } from '~/features/logistics/warehouses/ref'
import type { RefSource } from '~/kit/form/ref-source'

/** Kind of value that a subject is compared with. */
export type Kind = 'amount' | 'quantity' | 'weight' | 'records' | 'weekday' | 'date'

const KINDS: Record<ConditionType, Kind> = {
  cart_weight: 'weight',
  cart_base_price: 'amount',
  adjusted_cart_total: 'amount',
  item_quantity: 'quantity',
  item_weight: 'weight',
  article: 'records',
  article_type: 'records',
  category: 'records',
  material: 'records',
  processing: 'records',
  warehouse: 'records',
  tenant: 'records',
  tenant_group: 'records',
  weekday: 'weekday',
  date: 'date',
}

export const valueKind = (type: ConditionType): Kind => KINDS[type]

/** Records that a subject is compared with, and the permission needed to search them. */
export interface Records {
  // biome-ignore lint/suspicious/noExplicitAny: the row type matters only inside the source
  source: RefSource<any>
  permission: Permission
}

const RECORDS: Partial<Record<ConditionType, Records>> = {
  article: { source: articleRef, permission: 'article.list' },
  article_type: { source: articleTypeRef, permission: 'article_type.list' },
  category: { source: categoryRef(null), permission: 'category.list' },
  material: { source: materialRef, permission: 'material.list' },
  processing: { source: processingRef, permission: 'processing.list' },
  warehouse: { source: warehouseRef, permission: 'warehouse.list' },
  // partners can be searched by all who may see conditions
  tenant: { source: partnerRef, permission: 'price_adjustment.list' },
  tenant_group: { source: tenantGroupRef, permission: 'tenant-group.list' },
}

export const recordsOf = (type: ConditionType): Records | null => RECORDS[type] ?? null

const SET_OPERATORS: readonly ConditionOperator[] = ['in', 'not_in']

export function operatorsOf(type: ConditionType): readonly ConditionOperator[] {
  const kind = valueKind(type)
  const isSetSubject = kind === 'records' || kind === 'weekday'
  return isSetSubject ? SET_OPERATORS : conditionOperatorValues.filter((op) => !SET_OPERATORS.includes(op))
}

/** Subjects grouped by topic, in the order in which they are offered. */
export const SUBJECTS = {
  cart: ['cart_weight', 'cart_base_price', 'adjusted_cart_total'],
  item: ['item_quantity', 'item_weight', 'article', 'article_type', 'category', 'material', 'processing', 'warehouse'],
  buyer: ['tenant', 'tenant_group'],
  time: ['weekday', 'date'],
} as const satisfies Record<string, readonly ConditionType[]>

export const isSubject = (text: string): text is ConditionType => conditionTypeValues.includes(text as ConditionType)

interface InitialTest {
  type: ConditionType
  op: ConditionOperator
  value: ConditionValue
  unit: Unit | null
}

/** Initial comparison for a chosen subject; parts of the previous one that still fit are kept. */
export function initialTest(type: ConditionType, previous: InitialTest | null): InitialTest {
  const kind = valueKind(type)
  const operators = operatorsOf(type)
  const isSameKind = previous !== null && valueKind(previous.type) === kind && kind !== 'records'
  const isNumeric = (one: Kind) => one === 'amount' || one === 'quantity' || one === 'weight'
  const keepsValue = isSameKind || (previous !== null && isNumeric(kind) && isNumeric(valueKind(previous.type)))
  const unit = kind === 'weight' ? 't' : kind === 'quantity' ? 'piece' : null
  const defaultOp = kind === 'records' || kind === 'weekday' ? 'in' : 'greater_equals'
  return {
    type,
    op: previous && operators.includes(previous.op) ? previous.op : defaultOp,
    value: keepsValue ? previous.value : kind === 'records' || kind === 'weekday' ? [] : '',
    unit: isSameKind && previous.unit ? previous.unit : unit,
  }
}

export const NEW_TEST: InitialTest = initialTest('cart_weight', null)
