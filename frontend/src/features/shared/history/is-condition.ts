import type { TracedCondition } from './condition-text'

/** True if a value is a tree of conditions, as price adjustments have one. */
export const isCondition = (value: unknown): value is TracedCondition =>
  typeof value === 'object' &&
  value !== null &&
  (['all', 'any', 'not'].some((group) => Array.isArray((value as Record<string, unknown>)[group])) || ('type' in value && 'op' in value))
