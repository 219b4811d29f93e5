import { type CSSProperties, memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { messageText } from '~/kit/ui/message'
import type { Lang } from '~/lib/lang'
import type { RowChange } from './changes'
import { opener, readText, type SheetColumn } from './column'
import type { CellConflict } from './merge-rows'

interface Props<R> {
  id: string
  index: number
  top: number
  /** Row; undefined while it is loading. */
  row: R | undefined
  change: RowChange<R> | undefined
  columns: readonly SheetColumn<R>[]
  styles: readonly CSSProperties[]
  lang: Lang
  /** First and last selected column, both included; -1 for none. */
  from: number
  to: number
  fillFrom: number
  fillTo: number
  active: number
  /** Column with the fill handle at its end; -1 for none. */
  handle: number
  /** Input in the active cell. */
  editor: ReactNode
}

const between = (at: number, from: number, to: number) => at >= from && at <= to

function PlainSheetRow<R>({ id, index, top, row: loaded, change, columns, styles, lang, active, editor, handle, ...display }: Props<R>) {
  const { t } = useTranslation('spreadsheet')
  const { t: common } = useTranslation()
  const row = change?.row ?? loaded
  const problem = change?.error && messageText(change.error, common)

  const conflictText = ({ theirs, base }: CellConflict, show: (value: string) => string) =>
    t('conflict', { theirs: show(theirs), former: show(base) })

  /** Current value of a column, changed or saved. */
  function current(id: string): string {
    const column = columns.find((candidate) => candidate.id === id)
    return change?.cells.get(id)?.value ?? (column && row !== undefined ? column.value(row) : '')
  }

  function cellDescription(column: SheetColumn<R>, at: number): string {
    const cell = change?.cells.get(column.id)
    const saved = cell && row !== undefined && column.show(column.value(row), lang)
    const savedText = saved === undefined ? null : saved === '' ? t('wasEmpty') : t('was', { value: saved })
    const errorText = cell?.error && messageText(cell.error, common)
    const conflict = cell?.conflict && conflictText(cell.conflict, (value) => (value === '' ? t('noValue') : column.show(value, lang)))
    const interpretationText = cell?.isDoubtful && cell.value !== null && common('readAs', { value: readText(cell.value, lang) })
    return [at === 0 && problem, errorText, conflict, interpretationText, !conflict && savedText].filter(Boolean).join('. ')
  }

  return (
    <tr
      data-row={index}
      data-problem={problem ? '' : undefined}
      aria-rowindex={index + 2}
      aria-busy={row === undefined || undefined}
      style={{ top }}
    >
      {columns.map((column, at) => {
        const cell = change?.cells.get(column.id)
        const derived = row === undefined ? undefined : column.derived?.(row, current)
        const value = derived ?? cell?.value ?? (row === undefined ? '' : column.value(row))
        const text = cell && cell.value === null ? cell.raw : column.show(value, lang)
        const description = cellDescription(column, at)
        const open = row === undefined ? undefined : opener(column, row)
        const descriptionId = description ? `${id}-${index}-${at}` : undefined
        const hasProblem = cell?.error !== undefined || cell?.conflict !== undefined || (at === 0 && problem !== undefined)
        // the first column is the header of the row
        const [Cell, cellProps] = at === 0 ? (['th', { scope: 'row' }] as const) : (['td', { role: 'gridcell' }] as const)
        return (
          <Cell
            key={column.id}
            {...cellProps}
            data-column={at}
            data-sticky={column.sticky ? '' : undefined}
            data-end={column.align === 'end' ? '' : undefined}
            data-changed={cell && row !== undefined && cell.value !== column.value(row) ? '' : undefined}
            data-conflict={cell?.conflict ? '' : undefined}
            data-doubtful={cell?.isDoubtful ? '' : undefined}
            data-filling={between(at, display.fillFrom, display.fillTo) ? '' : undefined}
            data-active={at === active ? '' : undefined}
            aria-colindex={at + 1}
            aria-selected={between(at, display.from, display.to)}
            aria-readonly={!column.parse || (row !== undefined && column.locked?.(row)) || undefined}
            aria-haspopup={open && 'dialog'}
            aria-invalid={hasProblem || undefined}
            aria-describedby={descriptionId}
            tabIndex={at === active ? 0 : -1}
            title={description || undefined}
            style={styles[at]}
          >
            {at === active && editor ? (
              editor
            ) : (
              <span data-text>
                {row === undefined ? (
                  <i data-waiting />
                ) : open ? (
                  // an empty button is labelled with its column
                  <button type="button" tabIndex={-1} aria-label={text === '' ? column.header : undefined} onClick={open}>
                    {column.cell?.(row, value, current) ?? text}
                  </button>
                ) : cell?.value === null ? (
                  text
                ) : (
                  (column.cell?.(row, value, current) ?? text)
                )}
              </span>
            )}
            {description && (
              <span id={descriptionId} hidden>
                {description}
              </span>
            )}
            {at === handle && !editor && <i data-fill aria-hidden />}
          </Cell>
        )
      })}
    </tr>
  )
}

export const SheetRow = memo(PlainSheetRow) as typeof PlainSheetRow
