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
import type { RowProposals } from './other-proposals'
import { singleCell } from './selection'
import { refusalsOf } from './server-errors'
import type { Sheet } from './use-spreadsheet'

const OtherProposals = lazyWithTexts(() => import('./other-proposals'))

/** Result of a call: the current state of the saved rows that still exist. */
interface Answer<R> {
  rows: ReadonlyMap<RowKey, R>
  /** Number of rows under review, which wait for a release. */
  underReview: number
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
  proposalsOf?: (row: R) => RowProposals | null
  /** Shows the current state of rows. */
  show?: (rows: readonly R[]) => void
  /** Called when all changes are saved; `message` says so. */
  done: (answers: readonly A[], message: string, as: 'success' | 'warning') => void
  /** Called when the rows without errors are saved and others remain. */
  partiallyDone?: (answers: readonly A[], message: string, as: 'success' | 'warning') => void
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
  const [proposals, setProposals] = useState<readonly RowProposals[]>([])
  const stale = options.stale ?? text('sheet.stale')
  const countText = (key: string, count: number) => text(`sheet.${key}`, { count, number: decimal(count) })

  /**
   * Replaces the server's version error, which is worded for forms: the sheet itself shows the values that
   * another person has saved.
   */
  const withSheetTexts = (fields: ApiError['fields']) =>
    Object.fromEntries(Object.entries(fields).map(([path, texts]) => [path, path.endsWith('.version') ? [stale] : texts]))

  const showProposals = (rows: Iterable<R>) => setProposals([...rows].flatMap((row) => options.proposalsOf?.(row) ?? []))

  async function handleRefusals(refusals: readonly Refusal[], saved: number) {
    const staleKeys = new Set(refusals.filter(({ message }) => message === stale).map(({ key }) => key))
    const rows = [...sheet.changes].flatMap(([key, { row }]) => (staleKeys.has(key) ? [row] : []))
    const now = (rows.length > 0 && (await options.current?.(rows).catch(() => null))) || new Map<RowKey, R>()
    options.show?.([...now.values()])
    sheet.rebase(now)
    const merged = mergeRows(sheet.changes, now, sheet.byId)
    const conflicts = conflictsOf(merged, sheet.byId)
    // a conflict already shows that another person has saved the row
    const conflictKeys = new Set(conflicts.map(({ key }) => key))
    const rest = refusals.filter(({ key, message }) => message !== stale || !conflictKeys.has(key))
    sheet.refuse(rest.map((refusal) => withNote(refusal, now.get(refusal.key))))
    showConflict(merged, conflicts[0])
    const refusedCount = new Set(refusals.map(({ key }) => key)).size
    const count = { count: refusedCount, number: decimal(refusedCount), saved: decimal(saved) }
    notify.error(sheetText(saved === 0 ? 'nothingSaved' : 'partlySaved', count))
  }

  /** Adds the further remark about a changed row. */
  function withNote(refusal: Refusal, row: R | undefined): Refusal {
    const note = row !== undefined && refusal.message === stale && options.note?.(row)
    return note ? { ...refusal, message: `${refusal.message} ${note}` } : refusal
  }

  /** Selects the first conflict. */
  function showConflict(merged: Changes<R>, first: ConflictGroup | undefined) {
    const row = first && merged.get(first.key)?.at
    if (first === undefined || row === undefined) return
    const column = sheet.columns.findIndex((candidate) => groupOf(candidate) === first.group)
    sheet.dispatch({ type: 'select', selection: singleCell({ row, column }) })
  }

  const refusalsIn = (error: unknown, keys: readonly RowKey[]) =>
    error instanceof ApiError ? refusalsOf(withSheetTexts(error.fields), list, keys, columnOf) : []

  async function run(changes: Changes<R>, isPartial: boolean) {
    const changed = [...changes]
    const refusals: Refusal[] = []
    const answers: A[] = []
    let [saved, underReview, hasFailed] = [0, 0, false]
    for (let at = 0; at < changed.length && !hasFailed; at += batchSize) {
      const part = changed.slice(at, at + batchSize)
      const keys = part.map(([key]) => key)
      try {
        const answer = await options.send(part.map(([, change]) => change))
        answers.push(answer)
        options.show?.([...answer.rows.values()])
        sheet.saved(new Map(part), answer.rows)
        saved += part.length
        underReview += answer.underReview
      } catch (error) {
        const batchRefusals = refusalsIn(error, keys)
        refusals.push(...batchRefusals)
        // an error that concerns no row, such as an unreachable server, stops the remaining batches
        hasFailed = batchRefusals.length === 0
        if (hasFailed) notify.error(errorText(error))
      }
    }
    showProposals(answers.flatMap(({ rows }) => [...rows.values()]))
    if (refusals.length > 0) return handleRefusals(refusals, saved)
    if (hasFailed || saved === 0) return
    const done = isPartial ? (options.partiallyDone ?? options.done) : options.done
    if (underReview > 0) done(answers, countText('heldBack', underReview), 'warning')
    else done(answers, countText('saved', saved), 'success')
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
  const validChanges: Changes<R> = new Map([...sheet.changes].filter(([key]) => !faulty.has(key)))

  /** Saves the rows without errors; the others stay to be corrected. */
  async function saveValid() {
    const missing = options.missingValues(validChanges, t('validation.required'))
    if (missing.length > 0) sheet.refuse(missing)
    const missingKeys = new Set(missing.map(({ key }) => key))
    const rest: Changes<R> = new Map([...validChanges].filter(([key]) => !missingKeys.has(key)))
    if (saving || rest.size === 0) return
    setSaving(true)
    await run(rest, true)
    setSaving(false)
  }

  /** Shows the errors of a call that sent all changes at once. */
  async function showErrors(error: unknown) {
    const refusals = refusalsIn(error, [...sheet.changes.keys()])
    if (refusals.length > 0) await handleRefusals(refusals, 0)
    else notify.error(errorText(error))
  }

  const dialog = proposals.length > 0 && (
    <Suspense fallback={null}>
      <OtherProposals proposals={proposals} onClose={() => setProposals([])} />
    </Suspense>
  )
  return {
    save,
    saving,
    ready,
    showErrors,
    showProposals,
    dialog,
    saveGood: saveValid,
    validCount: faulty.size > 0 ? validChanges.size : 0,
  }
}
