import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '~/api/errors'
import { queryClient } from '~/api/query'
import type { SurchargeTable, SurchargeValue, SurchargeValuesInput } from '~/api/schema'
import { useRelease } from '~/features/pricing/shared/use-release'
import { useFormat } from '~/i18n/use-format'
import type { Sheet } from '~/kit/sheet/use-spreadsheet'
import { useErrorText } from '~/kit/ui/error-text'
import { notify } from '~/kit/ui/snackbar'
import { useOfferUndo } from '~/kit/ui/use-undo'
import { monthText } from '~/lib/months'
import { surchargeTables } from './api'
import { cellOf, changedCells, surchargeRefusals, surchargeRows, surchargeValueInputs, type TableRow } from './sheet'

const byId = (values: readonly SurchargeValue[], rows: readonly TableRow[]) =>
  new Map(surchargeRows(values, rows).map((row) => [row.id, row] as const))

/** Saves all changes of a table in one call, which is all or nothing. */
export function useSaveValues(
  table: SurchargeTable,
  /** Version of the table to which the loaded values belong. */
  loadedVersion: number,
  sheet: Sheet<TableRow>,
  /** Asks for confirmation, showing the impact on prices. */
  confirm?: (values: SurchargeValuesInput) => Promise<boolean>,
) {
  const { t } = useTranslation('surchargeTables')
  const { t: sheetText } = useTranslation('spreadsheet')
  const { lang, decimal } = useFormat()
  const offer = useOfferUndo()
  const saveWithRelease = useRelease()
  const errorText = useErrorText()
  const [saving, setSaving] = useState(false)
  // version that the changes are based on, even if a newer one is loaded meanwhile
  const [version, setVersion] = useState(loadedVersion)
  if (sheet.changes.size === 0 && loadedVersion > version) setVersion(loadedVersion)
  const changedRows = () => [...sheet.changes.values()].map(({ row }) => row)

  /** Rebases the changes on values that another user has saved. */
  async function rebaseOnSaved() {
    const values = await queryClient.fetchQuery({ ...surchargeTables.values(table.id), staleTime: 0 })
    setVersion(values.version)
    sheet.rebase(byId(values.data, changedRows()))
  }

  async function save() {
    if (sheet.unreadable) return notify.error(t('sheet.unreadable'))
    if (sheet.conflicts.length > 0)
      return notify.error(sheetText('undecided', { count: sheet.conflicts.length, number: decimal(sheet.conflicts.length) }))
    const sent = changedCells(sheet.changes)
    const changes = sheet.changes
    setSaving(true)
    try {
      const input = { values: surchargeValueInputs(table.keyed_by, sent), version }
      if (confirm && !(await confirm(input))) return
      const place = (path: string) => {
        const cell = cellOf(path, sent)
        return cell ? `${changes.get(cell.key)?.row.name}, ${monthText(cell.month, lang)}` : ''
      }
      const answer = await saveWithRelease((flag) => surchargeTables.saveValues(table.id, { ...input, ...flag }), place)
      setVersion(answer.version)
      queryClient.setQueryData(surchargeTables.values(table.id).queryKey, answer)
      sheet.saved(changes, byId(answer.data, changedRows()))
      offer(t('sheet.saved', { count: sent.length }), answer)
    } catch (error) {
      const refusals = isApiError(error) ? surchargeRefusals(error.fields, sent) : []
      if (isApiError(error) && error.code === 'stale') {
        await rebaseOnSaved().catch(() => null)
        notify.error(t('sheet.stale'))
      } else if (refusals.length > 0) {
        sheet.refuse(refusals)
        notify.error(t('sheet.refused', { count: refusals.length }))
      } else notify.error(errorText(error))
    } finally {
      setSaving(false)
    }
  }

  return { save, saving }
}
