import type { Condition } from '~/api/schema'
import { code, type Issue } from '~/kit/form/schema'
import { isDay } from '~/lib/days'
import { DIGITS, fits, isDecimal } from '~/lib/decimal'
import { NEW_TEST, valueKind } from './subjects'
import { partsOf } from './tree'

/**
 * Checks conditions by the rules of the server; the paths of errors are those of the server below the tree.
 */
export function checkConditions(condition: Condition | null): Issue[] {
  if (condition === null) return []
  const groupParts = partsOf(condition)
  if (!groupParts) return checkTest(condition)
  const [group, parts] = groupParts
  return parts.flatMap((part, at) => checkConditions(part).map(({ path, message }) => ({ path: [group, at, ...path], message })))
}

function checkTest({ type, value, unit }: Condition): Issue[] {
  const at = (field: string, message: string) => [{ path: [field], message }]
  const kind = valueKind(type ?? NEW_TEST.type)
  if (kind === 'records' || kind === 'weekday') {
    return Array.isArray(value) && value.length > 0 ? [] : at('value', code('atLeast', { min: 1 }))
  }
  if (typeof value !== 'string' || value === '') return at('value', 'required')
  if (kind === 'date') return isDay(value) ? [] : at('value', 'date')
  if (!isDecimal(value)) return at('value', kind === 'amount' ? 'amount' : 'decimal')
  if (value.startsWith('-')) return at('value', code('notLess', { min: 0 }))
  if (!fits(value, DIGITS)) return at('value', code('digits', { ...DIGITS }))
  return kind === 'quantity' && !unit ? at('unit', 'required') : []
}
