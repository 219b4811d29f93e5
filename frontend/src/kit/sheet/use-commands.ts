import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { useLatest } from '~/lib/use-latest'
import { type Copied, fillDown, fillTo, place } from './block'
import { cellAt, extentOf, type LocatedCell } from './cells'
import { type Fault, parsedParts } from './changes'
import { readText } from './column'
import { type Block, blockOf, type CellPosition, type CellSelection, cellsOf, only, sizeOf } from './selection'
import { parseTsv, writeTsv } from './tsv'
import type { Sheet } from './use-spreadsheet'

/** Maximum number of rows of one step; all of them are loaded for it. */
const MOST = 10_000

/** Number of frames to wait until loaded rows are rendered. */
const FRAMES = 30

interface Text {
  at: CellPosition
  text: string
}

/** Reorders a pasted block by column and describes that; null if the block needs no reordering. */
export type Arrange = (clip: readonly (readonly string[])[]) => { rows: readonly (readonly (string | undefined)[])[]; said: string } | null

/** Commands on the selected cells; each reports its result with `say`. */
export function useCommands<R>(sheet: Sheet<R>, say: (text: string) => void, arrange?: Arrange) {
  const { t } = useTranslation('spreadsheet')
  const format = useFormat()
  const latest = useLatest(sheet)
  const { dispatch } = sheet
  const block = () => blockOf(latest.current.state.selection)

  const complete = ({ top, bottom }: Block) => {
    const { rows } = latest.current
    for (let row = top; row <= bottom; row++) if (rows.at(row) === undefined) return false
    return true
  }

  async function load(wanted: Block): Promise<boolean> {
    say(t('loading'))
    try {
      await latest.current.rows.load?.(wanted.top, wanted.bottom)
    } catch {
      // reported below
    }
    // loaded rows are available after the next render
    for (let frame = 0; frame < FRAMES && !complete(wanted); frame++) await new Promise(requestAnimationFrame)
    say(complete(wanted) ? '' : t('notLoaded'))
    return complete(wanted)
  }

  /** Runs a command on rows: immediately if they are loaded, else after loading. */
  function withRows(wanted: Block, run: () => void) {
    if (wanted.bottom - wanted.top >= MOST) say(t('tooMany', { max: format.decimal(MOST) }))
    else if (complete(wanted)) run()
    else void load(wanted).then((loaded) => loaded && run())
  }

  /** Writes texts into cells as one step; counts those that are invalid or locked. */
  function put(texts: readonly Text[], selection: CellSelection) {
    const now = latest.current
    const cells = texts.flatMap(({ at, text }) => {
      const found = cellAt(now, at)
      return found ? [{ ...found, text }] : []
    })
    const locked = ({ column, row }: (typeof cells)[number]) => !column.parse || column.locked?.(row)
    const writes = cells
      .filter((cell) => !locked(cell))
      .map(({ key, row, at, column, text }) => ({ key, row, at: at.row, column: column.id, text }))
    dispatch({ type: 'write', writes, selection, columns: now.byId, lang: now.lang })
    const parsed = writes.map(({ column, text }) => parsedParts(now.byId, column, text, now.lang))
    return {
      written: writes.length,
      locked: cells.length - writes.length,
      wrong: parsed.filter((parts) => parts.some(({ parsed: one }) => 'error' in one)).length,
      doubts: doubtText(parsed.flat()),
    }
  }

  /** Message about ambiguous numbers, with one example: all were read by the same rule. */
  function doubtText(parts: ReturnType<typeof parsedParts>): string[] {
    const doubtful = parts.flatMap(({ raw, parsed }) => ('value' in parsed && parsed.isDoubtful ? [{ raw, value: parsed.value }] : []))
    const [first] = doubtful
    if (!first) return []
    const value = readText(first.value, latest.current.lang)
    return [t('doubtful', { count: doubtful.length, number: format.decimal(doubtful.length), text: first.raw.trim(), value })]
  }

  const counted = (key: 'done' | 'locked' | 'wrong' | 'noRows' | 'noColumns', count: number) =>
    count > 0 ? [t(key, { count, number: format.decimal(count) })] : []

  const resultTexts = (result: ReturnType<typeof put>) => [
    ...counted('done', result.written),
    ...counted('wrong', result.wrong),
    ...result.doubts,
    ...counted('locked', result.locked),
  ]

  const copy = (copied: () => readonly Copied[], selection: CellSelection, wide: Block) =>
    withRows(wide, () => {
      const texts = copied().flatMap(({ from, to }) => {
        const found = cellAt(latest.current, from)
        return found ? [{ at: to, text: found.text }] : []
      })
      say(resultTexts(put(texts, selection)).join(' '))
    })

  function paste(text: string) {
    const clip = parseTsv(text)
    const arranged = arrange?.(clip)
    // a reordered block starts at the first column
    const chosen = block()
    const target = arranged ? { top: chosen.top, bottom: chosen.top, left: 0, right: 0 } : chosen
    const placed = place(arranged?.rows ?? clip, target, extentOf(latest.current))
    const { top, bottom, left, right } = placed.block
    withRows(placed.block, () => {
      const result = put(placed.cells, { active: { row: top, column: left }, head: { row: bottom, column: right } })
      say(
        [
          ...(arranged ? [arranged.said] : []),
          ...resultTexts(result),
          ...counted('noRows', placed.left.rows),
          ...counted('noColumns', placed.left.columns),
        ].join(' '),
      )
    })
  }

  return {
    /** Returns the selected cells as tab-separated text; null if they are not loaded yet. */
    copied(): string | null {
      const { top, bottom, left, right } = block()
      const rows: string[][] = []
      for (let row = top; row <= bottom; row++) {
        const texts = [...cellsOf({ top: row, bottom: row, left, right })].map((at) => cellAt(latest.current, at)?.text)
        if (bottom - top >= MOST || texts.includes(undefined)) {
          withRows(block(), () => say(t('copyAgain')))
          return null
        }
        rows.push(texts as string[])
      }
      const { rows: count, columns } = sizeOf(block())
      say(t('copied', { count: count * columns, number: format.decimal(count * columns) }))
      return writeTsv(rows)
    },

    paste,

    /** Pastes without a keyboard; the browser may ask for permission. */
    async pasteClipboard() {
      const text = await navigator.clipboard.readText().catch(() => null)
      if (text) paste(text)
      else say(t(text === null ? 'noClipboard' : 'emptyClipboard'))
    },

    clear() {
      const { selection } = latest.current.state
      const wanted = block()
      withRows(wanted, () => {
        const cells = [...cellsOf(wanted)].map((at) => ({ at, text: '' }))
        say(resultTexts(put(cells, selection)).join(' '))
      })
    },

    fillDown: () => {
      const from = block()
      return copy(() => fillDown(from), latest.current.state.selection, { ...from, top: Math.max(from.top - 1, 0) })
    },

    fill(wide: Block) {
      const { active } = latest.current.state.selection
      const from = block()
      const head = { row: active.row === from.top ? wide.bottom : wide.top, column: active.column === from.left ? wide.right : wide.left }
      const corner = { row: head.row === wide.bottom ? wide.top : wide.bottom, column: head.column === wide.right ? wide.left : wide.right }
      return copy(() => fillTo(from, wide), { active: corner, head }, wide)
    },

    /**
     * Writes the typed text to the row in which editing began, even if it has moved; then selects `next`.
     */
    enter({ key, row, column, at }: LocatedCell<R>, text: string, next: CellSelection | null) {
      const { byId, lang, state } = latest.current
      say(doubtText(parsedParts(byId, column.id, text, lang)).join(' '))
      const writes = [{ key, row, at: at.row, column: column.id, text }]
      dispatch({ type: 'write', writes, selection: next ?? state.selection, columns: byId, lang })
    },

    undo() {
      say(latest.current.state.past.length > 0 ? t('undone') : t('nothingToUndo'))
      dispatch({ type: 'undo' })
    },

    redo() {
      say(latest.current.state.future.length > 0 ? t('redone') : t('nothingToRedo'))
      dispatch({ type: 'redo' })
    },

    /** Selects the next error after the active cell, or the first one; false if there is none. */
    nextFault(): boolean {
      const { faults, state, columns } = latest.current
      const points = faults.map((fault) => ({
        row: rowOf(latest.current, fault),
        column: Math.max(
          columns.findIndex(({ id }) => id === fault.column),
          0,
        ),
      }))
      const { row, column } = state.selection.active
      const next = points.find((point) => point.row > row || (point.row === row && point.column > column)) ?? points[0]
      if (next) dispatch({ type: 'select', selection: only(next) })
      return next !== undefined
    },
  }
}

export type Commands<R> = ReturnType<typeof useCommands<R>>

/** Current index of a row; for a row that is not loaded, its earlier one. */
function rowOf<R>({ rows }: Sheet<R>, { key, at }: Fault): number {
  const is = (index: number) => {
    const row = rows.at(index)
    return row !== undefined && rows.key(row) === key
  }
  if (is(at)) return at
  for (let index = 0; index < rows.count; index++) if (is(index)) return index
  return Math.min(at, rows.count - 1)
}
