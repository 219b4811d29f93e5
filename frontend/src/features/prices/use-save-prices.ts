import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '~/api/errors'
import { queryClient } from '~/api/query'
import type { Price } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { useErrorText } from '~/kit/feedback/error-text'
import { notify } from '~/kit/feedback/snackbar'
import { useOfferAll } from '~/kit/feedback/use-undo'
import type { Refusal, RowKey } from '~/kit/spreadsheet/changes'
import { refusalsOf } from '~/kit/spreadsheet/server-errors'
import type { PagedRows } from '~/kit/spreadsheet/use-paged-rows'
import type { Sheet } from '~/kit/spreadsheet/use-spreadsheet'
import { MANY_MAX, prices } from './api'
import { bodyOf, columnOf, lackingPrices } from './sheet'

/** Saves all that is changed, as many rows at a time as a call takes; a call saves all of its rows or none. */
export function useSavePrices(sheet: Sheet<Price>, paged: PagedRows<Price>) {
  const { t } = useTranslation(['prices', 'common'])
  const format = useFormat()
  const errorText = useErrorText()
  const offer = useOfferAll()
  const [saving, setSaving] = useState(false)

  /** What the server says of a version is for a form; the sheet shows by itself what somebody else has saved. */
  const worded = (fields: ApiError['fields']) =>
    Object.fromEntries(Object.entries(fields).map(([path, texts]) => [path, path.endsWith('.version') ? [t('sheet.stale')] : texts]))

  /** The rows that somebody else has changed meanwhile, as they are now. */
  async function current(refusals: readonly Refusal[]): Promise<Map<RowKey, Price>> {
    const ids = new Set(refusals.filter(({ message }) => message === t('sheet.stale')).map(({ key }) => Number(key)))
    const rows = await Promise.all([...ids].map((id) => queryClient.fetchQuery({ ...prices.one(id), staleTime: 0 }).catch(() => null)))
    return new Map(rows.flatMap((row) => (row ? [[row.id, row] as const] : [])))
  }

  async function refused(refusals: readonly Refusal[]) {
    const rows = await current(refusals)
    paged.replace([...rows.values()])
    sheet.rebase(rows)
    sheet.refuse(refusals)
  }

  async function run() {
    const changed = [...sheet.changes]
    const refusals: Refusal[] = []
    const answers: unknown[] = []
    let [saved, held] = [0, 0]
    for (let at = 0; at < changed.length; at += MANY_MAX) {
      const part = changed.slice(at, at + MANY_MAX)
      const keys = part.map(([key]) => key)
      try {
        const answer = await prices.saveMany(part.map(([, change]) => bodyOf(change, sheet.byId)))
        const rows = answer.data
        answers.push(answer)
        paged.replace(rows)
        sheet.saved(new Map(part), new Map(rows.map((row) => [row.id, row])))
        saved += rows.length
        held += rows.filter((row) => row.held).length
      } catch (error) {
        const found =
          error instanceof ApiError ? refusalsOf(worded(error.fields), 'prices', keys, (path) => columnOf(path, sheet.byId)) : []
        // what is said of no row, as that the server is away, holds for the rest as well
        if (found.length === 0) {
          notify.error(errorText(error))
          break
        }
        refusals.push(...found)
      }
    }
    if (refusals.length > 0) await refused(refusals)
    const number = (count: number) => ({ count, number: format.decimal(count) })
    if (refusals.length > 0) notify.error(t('sheet.refused', number(new Set(refusals.map(({ key }) => key)).size)))
    else if (held > 0) offer(t('sheet.heldBack', number(held)), answers, 'warning')
    else if (saved > 0) offer(t('sheet.saved', number(saved)), answers)
  }

  async function save() {
    const lacking = lackingPrices(sheet.changes, t('common:validation.required'))
    if (lacking.length > 0) sheet.refuse(lacking)
    if (lacking.length > 0 || sheet.unreadable) return notify.error(t('sheet.unreadable'))
    setSaving(true)
    await run()
    setSaving(false)
  }

  return { save, saving }
}
