import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { ArrowDownFromLine, CircleAlert, ClipboardPaste, EllipsisVertical, Keyboard, Redo, Undo } from 'lucide-react'
import { Suspense, useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { messageText } from '~/kit/ui/message'
import { sumDecimals } from '~/lib/sum'
import { cellAt } from './cells'
import { readText } from './column'
import { ConflictBar } from './conflict-bar'
import { type Block, blockOf, cellsOf, sizeOf } from './selection'
import { useCoarsePointer } from './use-coarse-pointer'
import type { Commands } from './use-commands'
import type { Sheet } from './use-spreadsheet'

const KeysHelp = lazyWithTexts(() => import('./keys-help'))

/** Maximum number of cells that are added up. */
const MOST = 20_000

/** Exact sum of the selected numbers; null if there are none, or not all are loaded. */
function sumOf<R>(sheet: Sheet<R>, block: Block): string | null {
  const { rows, columns } = sizeOf(block)
  if (rows * columns > MOST || rows * columns < 2) return null
  const values: string[] = []
  for (const at of cellsOf(block)) {
    const located = cellAt(sheet, at)
    if (!located) return null
    const value = located.cell ? (located.cell.value ?? '') : located.column.value(located.row)
    if (located.column.sum && value !== '') values.push(value)
  }
  return values.length > 0 ? sumDecimals(values) : null
}

interface Props<R> {
  sheet: Sheet<R>
  readOnly: boolean
  commands: Commands<R>
  /** Message about the last action. */
  announcement: string
  /** Shows the active cell, and focuses it if `focus` is true. */
  follow: (focus: boolean) => void
  /** Opens the menu of the active cell, if it has one. */
  openMenu?: (() => void) | undefined
}

/** Status bar with the number of changes and errors, the selection, and tools. */
export function StatusBar<R>({ sheet, readOnly, commands, announcement, follow, openMenu }: Props<R>) {
  const { t } = useTranslation('spreadsheet')
  const { t: common } = useTranslation()
  const format = useFormat()
  const isTouch = useCoarsePointer()
  const [help, setHelp] = useState(false)
  const { state, changed, faults } = sheet
  // dragging a selection does not wait for its sum
  const selection = useDeferredValue(state.selection)
  const block = blockOf(selection)
  const { rows, columns } = sizeOf(block)
  const sum = useMemo(() => sumOf(sheet, blockOf(selection)), [sheet, selection])
  const active = cellAt(sheet, state.selection.active)
  const errors = [state.selection.active.column === 0 ? active?.change?.error : undefined, active?.cell?.error]
  const errorText = errors.flatMap((error) => (error ? [messageText(error, common)] : [])).join('. ')
  const cell = active?.cell
  const interpretationText = cell?.isDoubtful && cell.value !== null && common('readAs', { value: readText(cell.value, sheet.lang) })
  const buttons = [
    { label: t('undo'), Icon: Undo, off: state.past.length === 0, run: commands.undo },
    { label: t('redo'), Icon: Redo, off: state.future.length === 0, run: commands.redo },
    { label: t('fillDown'), Icon: ArrowDownFromLine, off: false, run: commands.fillDown },
  ]
  function runCommand(run: () => void) {
    run()
    follow(false)
  }
  return (
    <Box
      data-sheet-bar
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 2,
        rowGap: 0.5,
        minHeight: 40,
        flexShrink: 0,
        typography: 'body2',
      }}
    >
      <Box sx={{ display: 'flex' }}>
        {(readOnly ? [] : buttons).map(({ label, Icon, off, run }) => (
          <Tooltip key={label} title={label}>
            <span>
              <IconButton aria-label={label} disabled={off} onClick={() => runCommand(run)} size="small">
                <Icon size={18} aria-hidden />
              </IconButton>
            </span>
          </Tooltip>
        ))}
        {openMenu && (
          <Tooltip title={t('menu')}>
            <IconButton aria-label={t('menu')} aria-haspopup="menu" aria-keyshortcuts="Shift+F10" onClick={openMenu} size="small">
              <EllipsisVertical size={18} aria-hidden />
            </IconButton>
          </Tooltip>
        )}
        <Tooltip title={t('keys.open')}>
          <IconButton aria-label={t('keys.open')} onClick={() => setHelp(true)} size="small">
            <Keyboard size={18} aria-hidden />
          </IconButton>
        </Tooltip>
        {help && (
          <Suspense fallback={null}>
            <KeysHelp onClose={() => setHelp(false)} />
          </Suspense>
        )}
      </Box>
      {!readOnly && <span>{t('changed', { count: changed, number: format.decimal(changed) })}</span>}
      {!readOnly && isTouch && (
        <Button
          size="small"
          startIcon={<ClipboardPaste size={16} aria-hidden />}
          onClick={() => runCommand(() => void commands.pasteClipboard())}
        >
          {t('paste')}
        </Button>
      )}
      <ConflictBar sheet={sheet} runCommand={runCommand} />
      {faults.length > 0 && (
        <Button
          color="error"
          size="small"
          startIcon={<CircleAlert size={16} aria-hidden />}
          onClick={() => commands.nextFault() && follow(true)}
          aria-keyshortcuts="F8"
        >
          {t('faults', { count: faults.length, number: format.decimal(faults.length) })}
        </Button>
      )}
      {errorText && <Box sx={{ color: 'error.main' }}>{errorText}</Box>}
      {interpretationText && <Box role="status">{interpretationText}</Box>}
      <Box role="status" sx={{ flex: '1 1 160px', minWidth: 0, color: 'text.secondary' }}>
        {announcement}
      </Box>
      <Box sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }} role="status">
        {rows * columns > 1 && t('selected', { count: rows * columns, number: format.decimal(rows * columns) })}
        {sum !== null && ` · ${t('sum', { sum: format.decimal(sum, 20) })}`}
      </Box>
    </Box>
  )
}
