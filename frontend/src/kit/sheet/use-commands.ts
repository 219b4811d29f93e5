import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { useLatest } from '~/lib/use-latest'
import { type Copied, fillDown, fillTo, placeClip } from './block'
import { cellAt, extentOf, type LocatedCell } from './cells'
import { type Fault, parsedParts } from './changes'
import { readText } from './column'
import { type Block, blockOf, type CellPosition, type CellSelection, cellsOf, singleCell, sizeOf } from './selection'
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
export type ArrangePaste = (
  clip: readonly (readonly string[])[],
) => { rows: readonly (readonly (string | undefined)[])[]; message: string } | null

/** Commands on the selected cells; each reports its result with `announce`. */
export function useCommands<R>(sheet: Sheet<R>, announce: (text: string) => void, arrangePaste?: ArrangePaste) {
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

  async function load(range: Block): Promise<boolean> {
    announce(t('loading'))
    try {
      await latest.current.rows.load?.(range.top, range.bottom)
    } catch {
      // reported below
    }
    // loaded rows are available after the next render
    for (let frame = 0; frame < FRAMES && !complete(range); frame++) await new Promise(requestAnimationFrame)
    announce(complete(range) ? '' : t('notLoaded'))
    return complete(range)
  }

  /** Runs a command on rows: immediately if they are loaded, else after loading. */
  function withRows(range: Block, run: () => void) {
    if (range.bottom - range.top >= MOST) announce(t('tooMany', { max: format.decimal(MOST) }))
    else if (complete(range)) run()
    else void load(range).then((loaded) => loaded && run())
  }

  /** Writes texts into cells as one step; counts those that are invalid or locked. */
  function put(texts: readonly Text[], selection: CellSelection) {
    const now = latest.current
    const cells = texts.flatMap(({ at, text }) => {
      const located = cellAt(now, at)
      return located ? [{ ...located, text }] : []
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

  const countText = (key: 'done' | 'locked' | 'wrong' | 'noRows' | 'noColumns', count: number) =>
    count > 0 ? [t(key, { count, number: format.decimal(count) })] : []

  const resultTexts = (result: ReturnType<typeof put>) => [
    ...countText('done', result.written),
    ...countText('wrong', result.wrong),
    ...result.doubts,
    ...countText('locked', result.locked),
  ]

  const copy = (copied: () => readonly Copied[], selection: CellSelection, target: Block) =>
    withRows(target, () => {
      const texts = copied().flatMap(({ from, to }) => {
        const located = cellAt(latest.current, from)
        return located ? [{ at: to, text: located.text }] : []
      })
      announce(resultTexts(put(texts, selection)).join(' '))
    })

  function paste(text: string) {
    const clip = parseTsv(text)
    const arranged = arrangePaste?.(clip)
    // a reordered block starts at the first column
    const chosen = block()
    const target = arranged ? { top: chosen.top, bottom: chosen.top, left: 0, right: 0 } : chosen
    const pasted = placeClip(arranged?.rows ?? clip, target, extentOf(latest.current))
    const { top, bottom, left, right } = pasted.block
    withRows(pasted.block, () => {
      const result = put(pasted.cells, { active: { row: top, column: left }, head: { row: bottom, column: right } })
      announce(
        [
          ...(arranged ? [arranged.message] : []),
          ...resultTexts(result),
          ...countText('noRows', pasted.overflow.rows),
          ...countText('noColumns', pasted.overflow.columns),
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
          withRows(block(), () => announce(t('copyAgain')))
          return null
        }
        rows.push(texts as string[])
      }
      const { rows: count, columns } = sizeOf(block())
      announce(t('copied', { count: count * columns, number: format.decimal(count * columns) }))
      return writeTsv(rows)
    },

    paste,

    /** Pastes without a keyboard; the browser may ask for permission. */
    async pasteClipboard() {
      const text = await navigator.clipboard.readText().catch(() => null)
      if (text) paste(text)
      else announce(t(text === null ? 'noClipboard' : 'emptyClipboard'))
    },

    clear() {
      const { selection } = latest.current.state
      const range = block()
      withRows(range, () => {
        const cells = [...cellsOf(range)].map((at) => ({ at, text: '' }))
        announce(resultTexts(put(cells, selection)).join(' '))
      })
    },

    fillDown: () => {
      const from = block()
      return copy(() => fillDown(from), latest.current.state.selection, { ...from, top: Math.max(from.top - 1, 0) })
    },

    fill(target: Block) {
      const { active } = latest.current.state.selection
      const from = block()
      const head = {
        row: active.row === from.top ? target.bottom : target.top,
        column: active.column === from.left ? target.right : target.left,
      }
      const oppositeCorner = {
        row: head.row === target.bottom ? target.top : target.bottom,
        column: head.column === target.right ? target.left : target.right,
      }
      return copy(() => fillTo(from, target), { active: oppositeCorner, head }, target)
    },

    /**
     * Writes the typed text to the row in which editing began, even if it has moved; then selects `next`.
     */
    enter({ key, row, column, at }: LocatedCell<R>, text: string, next: CellSelection | null) {
      const { byId, lang, state } = latest.current
      announce(doubtText(parsedParts(byId, column.id, text, lang)).join(' '))
      const writes = [{ key, row, at: at.row, column: column.id, text }]
      dispatch({ type: 'write', writes, selection: next ?? state.selection, columns: byId, lang })
    },

    undo() {
      announce(latest.current.state.past.length > 0 ? t('undone') : t('nothingToUndo'))
      dispatch({ type: 'undo' })
    },

    redo() {
      announce(latest.current.state.future.length > 0 ? t('redone') : t('nothingToRedo'))
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
      if (next) dispatch({ type: 'select', selection: singleCell(next) })
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
