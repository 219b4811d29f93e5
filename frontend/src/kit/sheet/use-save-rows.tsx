import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '~/api/errors'
import { useLabels } from '~/i18n/labels'
import type { Namespace } from '~/i18n/namespaces'
import { useFormat } from '~/i18n/use-format'
import { useErrorText } from '~/kit/ui/error-text'
import { later } from '~/kit/ui/later'
import { notify } from '~/kit/ui/snackbar'
import type { Change, Changes, Refusal, RowKey } from './changes'
import { type Choice, conflictsOf, groupOf, mergeRows } from './merge-rows'
import type { Proposed } from './other-proposals'
import { only } from './selection'
import { refusalsOf } from './server-errors'
import type { Sheet } from './use-spreadsheet'

const OtherProposals = later(() => import('./other-proposals'))

/** What a call has saved: the rows as they are now, as far as they are still there. */
interface Answer<R> {
  rows: ReadonlyMap<RowKey, R>
  /** So many look like a mistake and wait. */
  held: number
}

interface Options<R, A extends Answer<R>> {
  /** Texts with `sheet.saved heldBack stale unreadable`. */
  ns: Namespace
  sheet: Sheet<R>
  /** Said of a row that has another version by now, if not `sheet.stale`. */
  stale?: string
  /** Rows that one call takes; it saves all of them or none. */
  most: number
  /** How the contract calls the rows that are sent. */
  list: string
  send: (part: readonly Change<R>[]) => Promise<A>
  /** The column of an error's path; null for what concerns the row as a whole. */
  columnOf: (path: string) => string | null
  /** What is found before anything is sent; the message is said where a value is lacking. */
  lacking: (changes: Changes<R>, message: string) => Refusal[]
  /** Rows that somebody else has changed meanwhile, as they are now; without it none can be. */
  current?: (stale: readonly R[]) => Promise<ReadonlyMap<RowKey, R>>
  /** What else there is to say of a row that somebody else has changed. */
  note?: (now: R) => string | null
  /** Values of other users that wait for a release beside one that was just sent; null where there are none. */
  proposed?: (row: R) => Proposed | null
  /** Rows are shown as they are now. */
  show?: (rows: readonly R[]) => void
  /** All that was changed is saved; `said` is what there is to be said of it. */
  done: (answers: readonly A[], said: string, as: 'success' | 'warning') => void
  /** The same of the rows without a fault, while others stay. */
  partlyDone?: (answers: readonly A[], said: string, as: 'success' | 'warning') => void
}

/** Saves all that is changed in a sheet, as many rows at a time as a call takes; what is refused stays, with the reason at its cells. */
export function useSaveRows<R, A extends Answer<R>>(options: Options<R, A>) {
  const { sheet, most, list, columnOf } = options
  const { t } = useTranslation()
  const { text } = useLabels(options.ns)
  const { decimal } = useFormat()
  const errorText = useErrorText()
  const { t: sheetText } = useTranslation('spreadsheet')
  const [saving, setSaving] = useState(false)
  const [proposed, setProposed] = useState<readonly Proposed[]>([])
  const stale = options.stale ?? text('sheet.stale')
  const counted = (key: string, count: number) => text(`sheet.${key}`, { count, number: decimal(count) })

  /** What the server says of a version is for a form; the sheet shows by itself what somebody else has saved. */
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
    // what is to be chosen says by itself that somebody else was there
    const asked = new Set(conflicts.map(({ key }) => key))
    const rest = refusals.filter(({ key, message }) => message !== stale || !asked.has(key))
    sheet.refuse(rest.map((refusal) => noted(refusal, now.get(refusal.key))))
    showConflict(merged, conflicts[0])
    const wrong = new Set(refusals.map(({ key }) => key)).size
    const count = { count: wrong, number: decimal(wrong), saved: decimal(saved) }
    notify.error(sheetText(saved === 0 ? 'nothingSaved' : 'partlySaved', count))
  }

  /** With what else there is to say of a row as it is now. */
  function noted(refusal: Refusal, row: R | undefined): Refusal {
    const note = row !== undefined && refusal.message === stale && options.note?.(row)
    return note ? { ...refusal, message: `${refusal.message} ${note}` } : refusal
  }

  /** Goes to the first value that is to be chosen. */
  function showConflict(merged: Changes<R>, first: Choice | undefined) {
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
    for (let at = 0; at < changed.length && !broken; at += most) {
      const part = changed.slice(at, at + most)
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
        // what is said of no row, as that the server is away, holds for the rest as well
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

  /** Whether all that is changed can be sent; what keeps it from that is marked. */
  function ready(): boolean {
    const lacking = options.lacking(sheet.changes, t('validation.required'))
    if (lacking.length > 0) sheet.refuse(lacking)
    if (lacking.length === 0 && !sheet.unreadable) {
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

  /** Saves the rows without a fault; the others stay to be corrected. */
  async function saveGood() {
    const lacking = options.lacking(good, t('validation.required'))
    if (lacking.length > 0) sheet.refuse(lacking)
    const without = new Set(lacking.map(({ key }) => key))
    const rest: Changes<R> = new Map([...good].filter(([key]) => !without.has(key)))
    if (saving || rest.size === 0) return
    setSaving(true)
    await run(rest, true)
    setSaving(false)
  }

  /** Tells what all that is changed, sent as one, was refused for. */
  async function tell(error: unknown) {
    const refusals = refusalsIn(error, [...sheet.changes.keys()])
    if (refusals.length > 0) await refused(refusals, 0)
    else notify.error(errorText(error))
  }

  const dialog = proposed.length > 0 && (
    <Suspense fallback={null}>
      <OtherProposals proposed={proposed} onClose={() => setProposed([])} />
    </Suspense>
  )
  return { save, saving, ready, tell, propose, dialog, saveGood, good: faulty.size > 0 ? good.size : 0 }
}
