import Box from '@mui/material/Box'
import { type ClipboardEvent, type CSSProperties, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ResizeHandle } from '~/kit/table/resize-handle'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { type Density, usePreferences } from '~/theme/preferences'
import { CellEditor } from './cell-editor'
import { extentOf } from './cells'
import type { SheetColumn } from './column'
import { reveal } from './reveal'
import { blockOf, type CellPosition, type CellSelection, selectByKey, selectByTab } from './selection'
import { FIRST, SheetBox, SheetFrame } from './sheet-frame'
import { SheetRow } from './sheet-row'
import { StatusBar } from './status-bar'
import { type CellActions, useCellMenu } from './use-cell-menu'
import { type ArrangePaste, useCommands } from './use-commands'
import { useKeys } from './use-keys'
import { useOverflowsEnd } from './use-overflows-end'
import { usePointer } from './use-pointer'
import type { Sheet } from './use-spreadsheet'
import { useWidths } from './use-widths'
import { useWindow } from './use-window'

const HEIGHT: Record<Density, number> = { compact: 30, standard: 36, comfortable: 44 }

/**
 * Widths of columns, and the positions of sticky ones behind those before them. A column resized by the user
 * does not grow.
 */
function stylesOf<R>(columns: readonly SheetColumn<R>[], customWidths: Readonly<Record<string, number>>): CSSProperties[] {
  const widthOf = ({ id, width }: SheetColumn<R>) => customWidths[id] ?? width
  return columns.map((column, at) => {
    const before = columns.slice(0, at).map((other, nth) => (nth === 0 ? `min(${widthOf(other)}px, ${FIRST})` : `${widthOf(other)}px`))
    return {
      '--width': `${widthOf(column)}px`,
      '--start': before.length > 0 ? `calc(${before.join(' + ')})` : 0,
      ...(customWidths[column.id] !== undefined && { flexGrow: 0 }),
    } as CSSProperties
  })
}

interface Props<R> {
  sheet: Sheet<R>
  /** Accessible name. */
  label: string
  /** Name under which the user's column widths are stored. */
  name?: string
  /** True if nothing can be changed; tools for changes are hidden. */
  readOnly?: boolean
  /** Saves the changes. */
  onSave?: (() => void) | undefined
  /** Actions in a cell's menu. */
  actions?: CellActions<R>
  /** Reorders pasted columns. */
  arrangePaste?: ArrangePaste
}

/**
 * Grid of cells that are edited as in a spreadsheet, for any type of row; `useSpreadsheet` holds its state.
 */
export function Spreadsheet<R>({ sheet, label, name, readOnly = false, onSave, actions, arrangePaste }: Props<R>) {
  const { t } = useTranslation('spreadsheet')
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const { density } = usePreferences()
  const rowHeight = HEIGHT[density]
  const { columns, rows, state, lang, changes } = sheet
  const { active } = state.selection
  const [announcement, setAnnouncement] = useState('')
  const commands = useCommands(sheet, setAnnouncement, arrangePaste)
  const visibleIndexes = useWindow({ frame, count: rows.count, rowHeight, active: active.row, onVisible: rows.onVisible })
  const overflowsEnd = useOverflowsEnd(frame)
  const { widths, resize } = useWidths(name)
  const styles = useMemo(() => stylesOf(columns, widths), [columns, widths])
  // applied after the next render
  const next = useRef<{ focus: boolean; show: CellPosition | 'active' | null }>({ focus: false, show: null })

  function select(selection: CellSelection, show = true) {
    setAnnouncement('')
    next.current = { focus: true, show: show ? selection.head : null }
    sheet.dispatch({ type: 'select', selection })
  }
  function follow(focus = true) {
    next.current = { focus, show: 'active' }
  }
  const page = () => Math.max(Math.floor((frame.current?.clientHeight ?? 0) / rowHeight) - 2, 1)
  // a value committed by the save key is included
  const latest = useRef(onSave)
  useLayoutEffect(() => {
    latest.current = onSave
  })
  const save = onSave && (() => latest.current?.())
  function widen(by: number | null) {
    const column = columns[active.column]
    const head = frame.current?.querySelectorAll('th')[active.column]
    if (!column || !head) return
    const width = resize(column.id, by === null ? null : head.offsetWidth + by)
    setAnnouncement(width === null ? t('width.own', { column: column.header }) : t('width.given', { column: column.header, width }))
  }
  const cellMenu = useCellMenu({ sheet, actions, frame, select, follow })
  const keys = useKeys({ sheet, commands, page, select, follow, announce: setAnnouncement, save, menu: cellMenu.openActive, widen })
  const { filling, handlers } = usePointer({ sheet, commands, frame, rowHeight, select, edit: keys.edit })

  useLayoutEffect(() => {
    const { focus, show } = next.current
    next.current = { focus: false, show: null }
    if (!frame.current) return
    if (show) reveal(frame.current, show === 'active' ? active : show, rowHeight)
    if (!focus || state.editing) return
    frame.current.querySelector<HTMLElement>('[data-active]')?.focus({ preventScroll: true })
  })

  const editing = state.editing?.cell

  function commit(text: string, event: { key: string; shiftKey: boolean } | null) {
    if (!editing) return
    const extent = extentOf(sheet)
    const move = (key: string) => selectByKey(state.selection, { key, shift: false, ctrl: false }, extent)
    const after =
      event === null
        ? null
        : event.key === 'Tab'
          ? selectByTab(state.selection, event.shiftKey, extent)
          : move(event.key === 'Enter' ? (event.shiftKey ? 'ArrowUp' : 'ArrowDown') : event.key)
    if (event) follow()
    commands.enter(editing, text, after)
  }

  function onClipboard(event: ClipboardEvent, run: (event: ClipboardEvent) => void) {
    if (state.editing || rows.count === 0) return
    event.preventDefault()
    run(event)
  }
  function copy(event: ClipboardEvent): boolean {
    const text = commands.copied()
    if (text !== null) event.clipboardData.setData('text/plain', text)
    return text !== null
  }

  const block = blockOf(state.selection)
  const isInRows = (index: number, top: number, bottom: number) => index >= top && index <= bottom
  return (
    <>
      <SheetBox data-beyond={overflowsEnd ? '' : undefined}>
        <SheetFrame ref={frame} style={{ '--row': `${rowHeight}px` } as CSSProperties}>
          <table
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is an interactive table
            role="grid"
            aria-label={label}
            aria-describedby={`${id}-hint`}
            aria-multiselectable
            aria-rowcount={rows.count + 1}
            aria-colcount={columns.length}
            onKeyDown={keys.onKeyDown}
            onBlur={keys.onBlur}
            onCopy={(event) => onClipboard(event, copy)}
            onCut={(event) => onClipboard(event, () => copy(event) && commands.clear())}
            onPaste={(event) => onClipboard(event, () => commands.paste(event.clipboardData.getData('text/plain')))}
            onContextMenu={cellMenu.onContextMenu}
            {...handlers}
          >
            <thead>
              <tr aria-rowindex={1}>
                {columns.map((column, at) => (
                  <th
                    key={column.id}
                    scope="col"
                    aria-colindex={at + 1}
                    data-sticky={column.sticky ? '' : undefined}
                    data-end={column.align === 'end' ? '' : undefined}
                    style={styles[at]}
                  >
                    <span data-text title={column.header}>
                      {column.header}
                    </span>
                    <ResizeHandle onResize={(width) => resize(column.id, width)} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody style={{ height: rows.count * rowHeight }}>
              {visibleIndexes.map((index) => {
                const row = rows.at(index)
                const chosen = isInRows(index, block.top, block.bottom)
                const filled = filling && isInRows(index, filling.top, filling.bottom)
                return (
                  <SheetRow
                    key={index}
                    id={id}
                    index={index}
                    top={index * rowHeight}
                    row={row}
                    change={row === undefined ? undefined : changes.get(rows.key(row))}
                    columns={columns}
                    styles={styles}
                    lang={lang}
                    from={chosen ? block.left : -1}
                    to={chosen ? block.right : -1}
                    fillFrom={filled ? filling.left : -1}
                    fillTo={filled ? filling.right : -1}
                    active={index === active.row ? active.column : -1}
                    handle={!readOnly && index === block.bottom ? block.right : -1}
                    editor={
                      index === active.row &&
                      editing && (
                        <CellEditor
                          key={`${index} ${active.column}`}
                          label={t('edit', { column: editing.column.header, row: index + 1 })}
                          initial={
                            state.editing?.typed ??
                            (editing.column.choices ? (editing.cell?.value ?? editing.column.value(editing.row)) : editing.text)
                          }
                          isOverwriting={state.editing?.typed != null}
                          numeric={editing.column.align === 'end'}
                          // a select would replace the typed character by its first choice
                          choices={state.editing?.typed == null ? editing.column.choices : undefined}
                          invalid={editing.cell?.error !== undefined}
                          onCommit={commit}
                          onCancel={() => {
                            follow()
                            sheet.dispatch({ type: 'cancel' })
                          }}
                          onSave={save}
                        />
                      )
                    }
                  />
                )
              })}
            </tbody>
          </table>
        </SheetFrame>
      </SheetBox>
      <Box id={`${id}-hint`} style={visuallyHidden}>
        {t('hint')}
      </Box>
      <StatusBar
        sheet={sheet}
        readOnly={readOnly}
        commands={commands}
        announcement={announcement}
        follow={follow}
        openMenu={cellMenu.openActive}
      />
      {cellMenu.menu}
    </>
  )
}
