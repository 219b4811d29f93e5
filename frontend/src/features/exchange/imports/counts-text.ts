import { useTranslation } from 'react-i18next'
import type { Import } from '~/api/schema'
import { isRunning } from '~/features/exchange/shared/running'
import { useFormat } from '~/i18n/use-format'

export const COUNTS = ['created', 'updated', 'removed', 'unchanged', 'held', 'unresolved', 'kept', 'skipped', 'refused'] as const

/** What most files have none of, shown where it occurs. */
export const RARE: readonly string[] = ['held', 'unresolved', 'removed', 'kept', 'skipped']

/** What became of the rows on one line, without what did not occur: "120 new, 3 refused"; nothing before the end. */
export function useCountsText(): (row: Import) => string | null {
  const { t } = useTranslation('shell')
  const format = useFormat()
  return (row) => {
    if (isRunning(row)) return null
    const occurred = COUNTS.filter((count) => row[`rows_${count}`] > 0)
    const told = occurred.map((count) => t(`imports.counts.${count}`, { number: format.decimal(row[`rows_${count}`]) }))
    // a number stays beside what it counts
    return told.map((one) => one.replaceAll(' ', '\u00a0')).join(', ') || null
  }
}
