import type { Condition, ConditionOperator } from '~/api/schema'

const SIGNS: Record<ConditionOperator, string> = {
  lesser_equals: '<=',
  greater_equals: '>=',
  not_equals: '!=',
  lesser_than: '<',
  greater_than: '>',
  equals: '=',
  in: 'in',
  not_in: 'not in',
}

const GROUPS = ['all', 'any', 'not'] as const

const groupOf = (value: object) => GROUPS.find((group) => Array.isArray((value as Condition)[group]))

/** Whether that is a tree of conditions, as price adjustments have one. */
export const isCondition = (value: object): value is Condition => groupOf(value) !== undefined || ('type' in value && 'op' in value)

/** Conditions as the one line of text that the server reads: from the history they can be copied back into a form. */
export function conditionText(condition: Condition): string {
  const group = groupOf(condition)
  if (group) return `${group}(${condition[group]?.map(conditionText).join(', ')})`
  const { type, op, value, unit } = condition
  const compared = Array.isArray(value) ? `(${value.join(', ')})` : value
  return [type, op && SIGNS[op], compared, unit].filter(Boolean).join(' ')
}
