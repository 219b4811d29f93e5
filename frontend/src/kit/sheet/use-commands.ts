import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { useLatest } from '~/lib/use-latest'
import { type Copied, fillDown, fillTo, place } from './block'
import { cellAt, extentOf, type Found } from './cells'
import { type Fault, parsedParts } from './changes'
import { readText } from './column'
import { type Block, blockOf, cellsOf, only, type Point, type Selection, sizeOf } from './selection'
import { parseTsv, writeTsv } from './tsv'
import type { Sheet } from './use-spreadsheet'

/** Rows that one step may concern: they are all loaded for it. */
const MOST = 10_000

/** Loaded rows are waited for so long. */
const FRAMES = 30

interface Text {
  at: Point
  text: string
}

/** A pasted block in the order of the columns, and what is said of it; null for a block that is taken as it is. */
export type Arrange = (clip: readonly (readonly string[])[]) => { rows: readonly (readonly (string | undefined)[])[]; said: string } | null

/** What is done to selected cells, and what is said about it. */
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
      // said below
    }
    // what is loaded is there with the next rendering
    for (let frame = 0; frame < FRAMES && !complete(wanted); frame++) await new Promise(requestAnimationFrame)
    say(complete(wanted) ? '' : t('notLoaded'))
    return complete(wanted)
  }

  /** Works on rows: at once where they are loaded, else as soon as they are. */
  function withRows(wanted: Block, run: () => void) {
    if (wanted.bottom - wanted.top >= MOST) say(t('tooMany', { max: format.decimal(MOST) }))
    else if (complete(wanted)) run()
    else void load(wanted).then((loaded) => loaded && run())
  }

  /** Puts texts into cells as one step, and says what was none or could not be written. */
  function put(texts: readonly Text[], selection: Selection) {
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

  /** What was read in doubt. An example is enough: all were read alike. */
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

  const copy = (copied: () => readonly Copied[], selection: Selection, wide: Block) =>
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
    // what is put in order begins at the first column
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
    /** The selected cells as spreadsheets take them; null where they are not loaded yet. */
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

    /** Where there is no keyboard to paste with; the browser may ask whether it is allowed. */
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

    /** What was typed into a cell, wherever its row is by now; then that one is selected. */
    enter({ key, row, column, at }: Found<R>, text: string, next: Selection | null) {
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

    /** The next cell that is wrong, from the active one on, then from above. */
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

/** Where a row stands by now; rows that are not loaded, where it stood. */
function rowOf<R>({ rows }: Sheet<R>, { key, at }: Fault): number {
  const is = (index: number) => {
    const row = rows.at(index)
    return row !== undefined && rows.key(row) === key
  }
  if (is(at)) return at
  for (let index = 0; index < rows.count; index++) if (is(index)) return index
  return Math.min(at, rows.count - 1)
}
