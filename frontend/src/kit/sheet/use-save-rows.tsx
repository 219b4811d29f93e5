import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '~/api/errors'
import { useLabels } from '~/i18n/labels'
import type { Namespace } from '~/i18n/namespaces'
import { useFormat } from '~/i18n/use-format'
import { useErrorText } from '~/kit/ui/error-text'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { notify } from '~/kit/ui/snackbar'
import type { Changes, Refusal, RowChange, RowKey } from './changes'
import { type ConflictGroup, conflictsOf, groupOf, mergeRows } from './merge-rows'
import type { Proposed } from './other-proposals'
import { only } from './selection'
import { refusalsOf } from './server-errors'
import type { Sheet } from './use-spreadsheet'

const OtherProposals = lazyWithTexts(() => import('./other-proposals'))

/** Result of a call: the current state of the saved rows that still exist. */
interface Answer<R> {
  rows: ReadonlyMap<RowKey, R>
  /** Number of rows under review, which wait for a release. */
  held: number
}

interface Options<R, A extends Answer<R>> {
  /** Namespace with the texts `sheet.saved heldBack stale unreadable`. */
  ns: Namespace
  sheet: Sheet<R>
  /** Text for a row that has another version by now; `sheet.stale` by default. */
  stale?: string
  /** Maximum number of rows in a call, which saves all of them or none. */
  batchSize: number
  /** Name of the list of rows in the request body. */
  list: string
  send: (part: readonly RowChange<R>[]) => Promise<A>
  /** Column of an error's path; null if it concerns the row as a whole. */
  columnOf: (path: string) => string | null
  /** Finds missing values before anything is sent; `message` is the error at their cells. */
  missingValues: (changes: Changes<R>, message: string) => Refusal[]
  /** Loads the current state of rows that other people have changed; absent if no others can. */
  current?: (stale: readonly R[]) => Promise<ReadonlyMap<RowKey, R>>
  /** Further remark about a row that another person has changed. */
  note?: (now: R) => string | null
  /** Values of other users under review beside one that was just sent; null if there are none. */
  proposed?: (row: R) => Proposed | null
  /** Shows the current state of rows. */
  show?: (rows: readonly R[]) => void
  /** Called when all changes are saved; `said` is the message about it. */
  done: (answers: readonly A[], said: string, as: 'success' | 'warning') => void
  /** Called when the rows without errors are saved and others remain. */
  partlyDone?: (answers: readonly A[], said: string, as: 'success' | 'warning') => void
}

/**
 * Saves the changes of a sheet in batches of the size that a call accepts; refused rows stay changed, with
 * the reasons at their cells.
 */
export function useSaveRows<R, A extends Answer<R>>(options: Options<R, A>) {
  const { sheet, batchSize, list, columnOf } = options
  const { t } = useTranslation()
  const { text } = useLabels(options.ns)
  const { decimal } = useFormat()
  const errorText = useErrorText()
  const { t: sheetText } = useTranslation('spreadsheet')
  const [saving, setSaving] = useState(false)
  const [proposed, setProposed] = useState<readonly Proposed[]>([])
  const stale = options.stale ?? text('sheet.stale')
  const counted = (key: string, count: number) => text(`sheet.${key}`, { count, number: decimal(count) })

  /**
   * Replaces the server's version error, which is worded for forms: the sheet itself shows the values that
   * another person has saved.
   */
  const worded = (fields: ApiError['fields']) =>
    Object.fromEntries(Object.entries(fields).map(([path, texts]) => [path, path.endsWith('.version') ? [stale] : texts]))

  const propose = (rows: Iterable<R>) => setProposed([...rows].flatMap((row) => options.proposed?.(row) ?? []))

  async function refused(refusals: readonly Refusal[], saved: number) {
    const old = new Set(refusals.filter(({ message }) => message === stale).map(({ key }) => key))
    const rows = [...sheet.changes].flatMap(([key, { row }]) => (old.has(key) ? [row] : []))
    const now = (rows.length > 0 && (await options.current?.(rows).catch(() => null))) || new Map<RowKey, R>()
    options.show?.([...now.values()])
    sheet.rebase(now)
    const merged = mergeRows(sheet.changes, now, sheet.byId)
    const conflicts = conflictsOf(merged, sheet.byId)
    // a conflict already shows that another person has saved the row
    const asked = new Set(conflicts.map(({ key }) => key))
    const rest = refusals.filter(({ key, message }) => message !== stale || !asked.has(key))
    sheet.refuse(rest.map((refusal) => noted(refusal, now.get(refusal.key))))
    showConflict(merged, conflicts[0])
    const wrong = new Set(refusals.map(({ key }) => key)).size
    const count = { count: wrong, number: decimal(wrong), saved: decimal(saved) }
    notify.error(sheetText(saved === 0 ? 'nothingSaved' : 'partlySaved', count))
  }

  /** Adds the further remark about a changed row. */
  function noted(refusal: Refusal, row: R | undefined): Refusal {
    const note = row !== undefined && refusal.message === stale && options.note?.(row)
    return note ? { ...refusal, message: `${refusal.message} ${note}` } : refusal
  }

  /** Selects the first conflict. */
  function showConflict(merged: Changes<R>, first: ConflictGroup | undefined) {
    const row = first && merged.get(first.key)?.at
    if (first === undefined || row === undefined) return
    const column = sheet.columns.findIndex((one) => groupOf(one) === first.group)
    sheet.dispatch({ type: 'select', selection: only({ row, column }) })
  }

  const refusalsIn = (error: unknown, keys: readonly RowKey[]) =>
    error instanceof ApiError ? refusalsOf(worded(error.fields), list, keys, columnOf) : []

  async function run(changes: Changes<R>, partly: boolean) {
    const changed = [...changes]
    const refusals: Refusal[] = []
    const answers: A[] = []
    let [saved, held, broken] = [0, 0, false]
    for (let at = 0; at < changed.length && !broken; at += batchSize) {
      const part = changed.slice(at, at + batchSize)
      const keys = part.map(([key]) => key)
      try {
        const answer = await options.send(part.map(([, change]) => change))
        answers.push(answer)
        options.show?.([...answer.rows.values()])
        sheet.saved(new Map(part), answer.rows)
        saved += part.length
        held += answer.held
      } catch (error) {
        const found = refusalsIn(error, keys)
        refusals.push(...found)
        // an error that concerns no row, such as an unreachable server, stops the remaining batches
        broken = found.length === 0
        if (broken) notify.error(errorText(error))
      }
    }
    propose(answers.flatMap(({ rows }) => [...rows.values()]))
    if (refusals.length > 0) return refused(refusals, saved)
    if (broken || saved === 0) return
    const done = partly ? (options.partlyDone ?? options.done) : options.done
    if (held > 0) done(answers, counted('heldBack', held), 'warning')
    else done(answers, counted('saved', saved), 'success')
  }

  /** True if all changes can be sent; marks the reasons if not. */
  function ready(): boolean {
    const missing = options.missingValues(sheet.changes, t('validation.required'))
    if (missing.length > 0) sheet.refuse(missing)
    if (missing.length === 0 && !sheet.unreadable) {
      if (sheet.conflicts.length === 0) return true
      const count = sheet.conflicts.length
      notify.error(sheetText('undecided', { count, number: decimal(count) }))
      return false
    }
    notify.error(text('sheet.unreadable'))
    return false
  }

  async function save() {
    if (saving || sheet.changes.size === 0 || !ready()) return
    setSaving(true)
    await run(sheet.changes, false)
    setSaving(false)
  }

  const faulty = new Set(sheet.faults.map(({ key }) => key))
  const good: Changes<R> = new Map([...sheet.changes].filter(([key]) => !faulty.has(key)))

  /** Saves the rows without errors; the others stay to be corrected. */
  async function saveGood() {
    const missing = options.missingValues(good, t('validation.required'))
    if (missing.length > 0) sheet.refuse(missing)
    const without = new Set(missing.map(({ key }) => key))
    const rest: Changes<R> = new Map([...good].filter(([key]) => !without.has(key)))
    if (saving || rest.size === 0) return
    setSaving(true)
    await run(rest, true)
    setSaving(false)
  }

  /** Shows the errors of a call that sent all changes at once. */
  async function showErrors(error: unknown) {
    const refusals = refusalsIn(error, [...sheet.changes.keys()])
    if (refusals.length > 0) await refused(refusals, 0)
    else notify.error(errorText(error))
  }

  const dialog = proposed.length > 0 && (
    <Suspense fallback={null}>
      <OtherProposals proposed={proposed} onClose={() => setProposed([])} />
    </Suspense>
  )
  return { save, saving, ready, tell: showErrors, propose, dialog, saveGood, good: faulty.size > 0 ? good.size : 0 }
}
