import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '~/api/errors'
import { queryClient } from '~/api/query'
import type { PriceListPrice } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { useErrorText } from '~/kit/feedback/error-text'
import { notify } from '~/kit/feedback/snackbar'
import type { Refusal, RowKey } from '~/kit/spreadsheet/changes'
import { refusalsOf } from '~/kit/spreadsheet/server-errors'
import type { PagedRows } from '~/kit/spreadsheet/use-paged-rows'
import type { Sheet } from '~/kit/spreadsheet/use-spreadsheet'
import { listPrices, MANY_MAX } from './prices-api'
import { bodyOf, columnOf, lackingPrices } from './sheet'

/** Saves all that is changed, as many rows at a time as a call takes; a call saves all of its rows or none. */
export function useSavePrices(list: number, sheet: Sheet<PriceListPrice>, paged: PagedRows<PriceListPrice>) {
  const { t } = useTranslation(['priceLists', 'common'])
  const format = useFormat()
  const errorText = useErrorText()
  const [saving, setSaving] = useState(false)

  /** What the server says of a version is for a form; the sheet shows by itself what somebody else has saved. */
  const worded = (fields: ApiError['fields']) =>
    Object.fromEntries(Object.entries(fields).map(([path, texts]) => [path, path.endsWith('.version') ? [t('sheet.stale')] : texts]))

  /** The rows that somebody else has changed meanwhile, as they are now. */
  async function current(refusals: readonly Refusal[]): Promise<Map<RowKey, PriceListPrice>> {
    const stale = new Set(refusals.filter(({ message }) => message === t('sheet.stale')).map(({ key }) => key))
    const articles = [...sheet.changes].filter(([key]) => stale.has(key)).map(([, { row }]) => row.article.id)
    if (articles.length === 0) return new Map()
    const found = await queryClient
      .fetchQuery({ ...listPrices.ofArticles(list, articles.slice(0, 200)), staleTime: 0 })
      .catch(() => ({ data: [] as PriceListPrice[] }))
    return new Map(found.data.map((row) => [row.id, row] as const))
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
    let [saved, held] = [0, 0]
    for (let at = 0; at < changed.length; at += MANY_MAX) {
      const part = changed.slice(at, at + MANY_MAX)
      const keys = part.map(([key]) => key)
      try {
        const rows = await listPrices.saveMany(
          list,
          part.map(([, change]) => bodyOf(change, sheet.byId)),
        )
        paged.replace(rows)
        sheet.saved(new Map(part), new Map(rows.map((row) => [row.id, row])))
        saved += part.length
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
    else if (held > 0) notify.warning(t('sheet.heldBack', number(held)))
    else if (saved > 0) notify.success(t('sheet.saved', number(saved)))
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
