import { useTranslation } from 'react-i18next'
import type { Import } from '~/api/schema'
import { isRunning } from '~/features/exchange/shared/running'
import { useFormat } from '~/i18n/use-format'

export const COUNTS = ['created', 'updated', 'removed', 'unchanged', 'held', 'unresolved', 'kept', 'skipped', 'refused'] as const

/** Counts that most imports do not have, shown only if they are not zero. */
export const RARE: readonly string[] = ['held', 'unresolved', 'removed', 'kept', 'skipped']

/**
 * Formats the results of an import on one line without zeros: "120 new, 3 refused"; null while it is
 * running.
 */
export function useCountsText(): (row: Import) => string | null {
  const { t } = useTranslation('shell')
  const format = useFormat()
  return (row) => {
    if (isRunning(row)) return null
    const presentCounts = COUNTS.filter((count) => row[`rows_${count}`] > 0)
    const texts = presentCounts.map((count) => t(`imports.counts.${count}`, { number: format.decimal(row[`rows_${count}`]) }))
    // keep a number and its label on one line
    return texts.map((text) => text.replaceAll(' ', '\u00a0')).join(', ') || null
  }
}
