import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { cellAt } from './cells'
import type { SheetColumn } from './column'
import { groupOf } from './merge-rows'
import type { Sheet } from './use-spreadsheet'

interface Props<R> {
  sheet: Sheet<R>
  /** Performs an action and shows the active cell. */
  runCommand: (run: () => void) => void
}

/**
 * Bar to resolve conflicts: shows our own, the other person's and the earlier value, and lets the user
 * choose.
 */
export function ConflictBar<R>({ sheet, runCommand }: Props<R>) {
  const { t } = useTranslation('spreadsheet')
  const format = useFormat()
  const { conflicts, columns, lang, state } = sheet
  const active = cellAt(sheet, state.selection.active)
  const activeConflict = active && conflicts.find(({ key, group }) => key === active.key && group === groupOf(active.column))
  const bar = useRef<HTMLDivElement>(null)
  const conflictId = activeConflict ? `${activeConflict.key} ${activeConflict.group}` : null
  // on a phone the bar is below the visible area
  useEffect(() => {
    if (conflictId !== null) bar.current?.scrollIntoView?.({ block: 'nearest' })
  }, [conflictId])
  if (conflicts.length === 0) return null
  const cells = active?.change?.cells
  const groupColumns = activeConflict ? columns.filter((column) => groupOf(column) === activeConflict.group) : []
  /** Values of the group's columns as displayed, or "no value". */
  const text = (read: (column: SheetColumn<R>) => string) => {
    const [first, ...rest] = groupColumns.map((column) => column.show(read(column), lang))
    return first ? [first, ...rest].join(' · ') : t('noValue')
  }
  const row = active?.change?.row
  const value = (column: SheetColumn<R>) => (row === undefined ? '' : column.value(row))
  const count = { count: conflicts.length, number: format.decimal(conflicts.length) }
  return (
    <Box
      ref={bar}
      role="group"
      aria-label={t('conflicts', count)}
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1.5, rowGap: 0.5 }}
    >
      {activeConflict ? (
        <>
          <Box role="status" sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1.5 }}>
            <Box component="span" sx={{ fontWeight: 600 }}>
              {t('mine', { value: text((column) => cells?.get(column.id)?.value ?? cells?.get(column.id)?.raw ?? value(column)) })}
            </Box>
            <Box component="span" sx={{ fontWeight: 600, color: 'error.main' }}>
              {t('theirs', { value: text((column) => cells?.get(column.id)?.conflict?.theirs ?? value(column)) })}
            </Box>
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {t('former', { value: text((column) => cells?.get(column.id)?.conflict?.base ?? value(column)) })}
            </Box>
          </Box>
          <Button size="small" variant="outlined" onClick={() => runCommand(() => sheet.choose([activeConflict], 'mine'))}>
            {t('keepMine')}
          </Button>
          <Button size="small" variant="outlined" onClick={() => runCommand(() => sheet.choose([activeConflict], 'theirs'))}>
            {t('takeTheirs')}
          </Button>
        </>
      ) : (
        <Box component="span" sx={{ color: 'error.main' }}>
          {t('conflicts', count)}
        </Box>
      )}
      {conflicts.length > 1 && (
        <>
          <Button size="small" onClick={() => runCommand(() => sheet.choose(conflicts, 'mine'))}>
            {t('keepAllMine', count)}
          </Button>
          <Button size="small" onClick={() => runCommand(() => sheet.choose(conflicts, 'theirs'))}>
            {t('takeAllTheirs', count)}
          </Button>
        </>
      )}
    </Box>
  )
}
