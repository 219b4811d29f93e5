import { useTranslation } from 'react-i18next'
import type { Import } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { useConfirm } from '~/kit/ui/confirm'
import { isInWarehouses } from './may-import'

/** True if applying the dry run removes records. */
export const removesSome = (row: Import): boolean => row.strategy === 'replace_all' && row.undoes === null && row.rows_removed > 0

/**
 * Asks for confirmation of the records that a dry run removes; for many, the user has to enter their number.
 */
export function useConfirmRemovals(): (row: Import) => Promise<boolean> {
  const { t } = useTranslation('imports')
  const confirm = useConfirm()
  const { decimal } = useFormat()
  return async (row) => {
    if (!removesSome(row)) return true
    const countParams = { count: row.rows_removed, number: decimal(row.rows_removed) }
    return confirm({
      title: t('removals.title', countParams),
      body: t(`removals.${isInWarehouses(row.type) ? row.replace_scope : 'list'}`, countParams),
      action: t('removals.action', countParams),
      ...(row.removals_to_confirm !== null && { retype: String(row.removals_to_confirm) }),
    })
  }
}
