import type { AuditedReference, Condition, Unit, weekdayValues } from '~/api/schema'

const GROUPS = ['all', 'any', 'not'] as const

/** Condition in the history, which names records by references. */
export interface TracedCondition extends Omit<Condition, 'value' | (typeof GROUPS)[number]> {
  value?: string | readonly (string | AuditedReference)[] | null
  all?: readonly TracedCondition[] | null
  any?: readonly TracedCondition[] | null
  not?: readonly TracedCondition[] | null
}

const groupOf = (value: object) => GROUPS.find((group) => Array.isArray((value as TracedCondition)[group]))

interface Words {
  t: (key: string, params?: Record<string, unknown>) => string
  reference: (reference: AuditedReference) => string
  weekday: (day: (typeof weekdayValues)[number]) => string
  day: (day: string) => string
  amount: (amount: string) => string
  quantity: (quantity: string, unit: Unit) => string
}

/**
 * Formats conditions as a sentence, as in the list of price adjustments; `inner` groups with several parts
 * are put in brackets.
 */
export function conditionText(condition: TracedCondition, words: Words, inner = false): string {
  const { t } = words
  const group = groupOf(condition)
  if (!group) return comparisonText(condition, words)
  const parts = condition[group] ?? []
  const several = parts.length > 1
  const joined = parts
    .map((part) => conditionText(part, words, several || group === 'not'))
    .join(t(group === 'all' ? 'conditions:summary.and' : 'conditions:summary.or'))
  if (group === 'not') return `${t('conditions:summary.not')} (${joined})`
  return inner && several ? `(${joined})` : joined
}

const SET_OPERATORS: Readonly<Record<string, string>> = { in: 'summary.in', not_in: 'summary.notIn' }

function comparisonText({ type, op, value, unit }: TracedCondition, words: Words): string {
  const { t } = words
  const key = SET_OPERATORS[op ?? ''] ?? `${type === 'date' ? 'dateOp' : 'op'}.${op}`
  const operatorText = t(`conditions:${key}`, { count: Array.isArray(value) ? value.length : 1 })
  return `${t(`whyPrice:conditions.type.${type}`)} ${operatorText} ${valueText(type, value, unit ?? 'kg', words)}`
}

function valueText(type: TracedCondition['type'], value: TracedCondition['value'], unit: Unit, words: Words): string {
  if (!value) return ''
  if (typeof value !== 'string') {
    const one = (part: string | AuditedReference) => (typeof part === 'string' ? words.weekday(part as 'monday') : words.reference(part))
    return value.map(one).join(', ')
  }
  if (type === 'date') return words.day(value)
  return type === 'cart_base_price' || type === 'adjusted_cart_total' ? words.amount(value) : words.quantity(value, unit)
}
