import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormHelperText from '@mui/material/FormHelperText'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useQueryClient } from '@tanstack/react-query'
import { FileCheck } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import type { Import, ImportCorrectedRow, RefusedRow } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { useSave } from '~/kit/form/use-save'
import { focusOnMount } from '~/kit/ui/focus-on-mount'
import { FormErrors } from '~/kit/ui/form-errors'
import { imports } from './api'
import { cacheQueuedImport } from './cache-queued-import'
import { spokenName } from './import-name'

interface Props {
  row: Import
  rows: readonly RefusedRow[]
  onClose: () => void
}

/** Table of the cells of refused rows, to be corrected and imported again. */
export function CorrectRows({ row, rows, onClose }: Props) {
  const { t } = useTranslation('imports')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { search } = useLocation()
  /** Corrected cells, by line and column index. */
  const [changes, setChanges] = useState<Readonly<Record<number, Readonly<Record<number, string>>>>>({})
  const save = useSave<ImportCorrectedRow[], Import>({
    save: (inputs) => imports.correct(row.id, inputs),
    startsJob: true,
    message: (newImport) => t('messages.queued', { name: spokenName(newImport) }),
    done(newImport) {
      cacheQueuedImport(queries, newImport)
      void navigate({ pathname: `../${newImport.id}`, search }, { relative: 'path' })
    },
  })
  const correctedRows = rows.flatMap(({ line, cells }) => {
    const lineChanges = changes[line]
    return lineChanges ? [{ line, cells: cells.map(({ value }, at) => lineChanges[at] ?? value) }] : []
  })
  function send() {
    if (correctedRows.length > 0 && !save.pending) save.submit(correctedRows)
  }
  return (
    // not a form element: it is inside the drawer's form, and nested forms do not get their own submit event
    <Box
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
        event.preventDefault()
        send()
      }}
      sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}
    >
      {rows.map((refused, place) => (
        <Row
          key={refused.line}
          row={refused}
          autoFocus={place === 0}
          changes={changes[refused.line] ?? {}}
          onChange={(at, value) => setChanges((before) => ({ ...before, [refused.line]: { ...before[refused.line], [at]: value } }))}
        />
      ))}
      <FormErrors error={save.error} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <Button
          variant="contained"
          onClick={send}
          startIcon={<FileCheck size={18} />}
          loading={save.pending}
          disabled={correctedRows.length === 0}
        >
          {t('correct.submit', { count: correctedRows.length })}
        </Button>
        <Button color="inherit" onClick={onClose} disabled={save.pending}>
          {t('correct.cancel')}
        </Button>
      </Box>
    </Box>
  )
}

interface RowProps {
  row: RefusedRow
  /** True if the first invalid cell gets the focus. */
  autoFocus: boolean
  changes: Readonly<Record<number, string>>
  onChange: (at: number, value: string) => void
}

function Row({ row: { line, cells, errors }, autoFocus, changes, onChange }: RowProps) {
  const { t } = useTranslation('imports')
  const format = useFormat()
  const errorsOf = (column: string) => (column === '' ? [] : errors.filter((error) => error.column === column))
  const first = Math.max(
    0,
    cells.findIndex(({ column }) => errorsOf(column).length > 0),
  )
  const rowErrors = errors.filter(({ column }) => !cells.some((cell) => cell.column !== '' && cell.column === column))
  return (
    <Box component="fieldset" sx={{ m: 0, p: 2, border: 1, borderColor: 'divider', borderRadius: 1, minWidth: 0 }}>
      <Box component="legend" sx={{ typography: 'subtitle2', px: 0.5 }}>
        {t('correct.line', { line: format.decimal(line) })}
      </Box>
      {rowErrors.map(({ message }) => (
        <FormHelperText key={message} error sx={{ mb: 1 }}>
          {message}
        </FormHelperText>
      ))}
      <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(170px, 1fr))', gap: 1.5 }}>
        {cells.map(({ column, value }, at) => (
          <Cell
            // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a row stay where they are
            key={at}
            label={column === '' ? t('correct.nameless', { number: at + 1 }) : column}
            value={changes[at] ?? value}
            errors={errorsOf(column).map(({ message }) => message)}
            autoFocus={autoFocus && at === first}
            onChange={(text) => onChange(at, text)}
          />
        ))}
      </Box>
    </Box>
  )
}

interface CellProps {
  label: string
  value: string
  errors: readonly string[]
  autoFocus: boolean
  onChange: (value: string) => void
}

function Cell({ label, value, errors, autoFocus, onChange }: CellProps) {
  const id = useId()
  const hasErrors = errors.length > 0
  return (
    <Box sx={{ minWidth: 0 }}>
      <Box component="label" htmlFor={id} sx={{ typography: 'caption', color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {label}
      </Box>
      <OutlinedInput
        id={id}
        size="small"
        fullWidth
        value={value}
        error={hasErrors}
        inputRef={autoFocus ? focusOnMount : undefined}
        inputProps={{ autoComplete: 'off', 'aria-describedby': hasErrors ? `${id}-error` : undefined }}
        onChange={(event) => onChange(event.target.value)}
      />
      {hasErrors && (
        <FormHelperText id={`${id}-error`} error>
          {errors.join(' ')}
        </FormHelperText>
      )}
    </Box>
  )
}
