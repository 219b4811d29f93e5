import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useMutation } from '@tanstack/react-query'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import type { ImportColumn, ImportConstant, ImportInspection, ImportSettings, ImportType } from '~/api/schema'
import { useLabels } from '~/i18n/labels'
import { useFormat } from '~/i18n/use-format'
import { FormErrors } from '~/kit/ui/form-errors'
import { NativeSelect } from '~/kit/ui/native-select'
import { Working } from '~/kit/ui/working'
import { ConstantFields } from './constant-fields'
import { FirstRows } from './first-rows'
import { inspections } from './inspection-api'
import { type Choices, columnFields, type Findings } from './mapping'
import { chosenUnit, readMeasure, type Units, unitKind } from './measure'
import { MeasureField, useMeasureText } from './measure-field'
import { ReadingFields } from './reading-fields'
import { type Constants, constantFields } from './settings'

interface Props {
  inspection: ImportInspection
  findings: Findings
  choices: Choices
  units: Units
  /** Chosen settings for reading the file. */
  reading: ImportSettings
  /** Values that are the same for all rows. */
  constants: Constants
  /** Errors from the server, by the path of the column's name or field. */
  refused: Readonly<Record<string, string[]>>
  onChoose: (at: number, field: string | null) => void
  onUnit: (at: number, unit: string) => void
  onType: (type: ImportType) => void
  onForgotten: () => void
  onReading: (reading: ImportSettings) => void
  /** True while the file is read with other settings than those of the inspection. */
  isReading: boolean
  /** Error of reading the file with other settings; null if there is none. */
  readError: unknown
  onConstant: (field: string, value: string) => void
  onConstants: (constants: ImportConstant[]) => void
  /** Number of attempts to submit an invalid form; each one moves the focus to the first problem. */
  attempts: number
}

/** Moves the focus to the first problem. */
function focusProblem(section: HTMLElement | null) {
  section?.querySelector<HTMLElement>('[data-problem], [aria-invalid="true"]')?.focus()
}

/** Wizard step with the settings for reading the file and the mapping of its columns. */
export default function ColumnsStep({ inspection, findings, choices, units, reading, constants, refused, attempts, ...rest }: Props) {
  const { onChoose, onUnit, onType, onForgotten, onReading, onConstant, onConstants, isReading, readError } = rest
  const isCurrent = !isReading && readError === null
  const { t } = useTranslation(['imports', 'common'])
  const { t: profiles } = useTranslation('importProfiles')
  const labels = useLabels('imports')
  const id = useId()
  const fields = columnFields(inspection.columns, choices)
  const mappedCount = fields.filter((field) => field !== null).length
  const hasProblems =
    findings.missing.length > 0 || findings.duplicates.size > 0 || findings.refused.size > 0 || Object.keys(refused).length > 0
  const [isExpanded, setIsExpanded] = useState(false)
  const open = isExpanded || hasProblems || findings.unused.length > 0
  const label = (key: string) => inspection.fields.find((field) => field.key === key)?.label ?? key
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (attempts > 0) focusProblem(section.current)
  }, [attempts])
  const { profile } = inspection
  return (
    <Box component="section" ref={section} aria-labelledby={id} sx={{ display: 'flex', flexDirection: 'column', gap: 1.5 }}>
      <Typography variant="h3" id={id}>
        {t('wizard.columns.title')}
      </Typography>
      <ReadingFields inspection={inspection} reading={reading} isCurrent={isCurrent} onChange={onReading} />
      {isReading && <Working>{t('wizard.looking')}</Working>}
      {readError !== null && (
        <Box data-problem tabIndex={-1}>
          <FormErrors error={readError} />
          <Button size="small" color="inherit" variant="outlined" onClick={() => onReading(reading)} sx={{ mt: 1 }}>
            {t('common:actions.retry')}
          </Button>
        </Box>
      )}
      {inspection.notes.map((note) => (
        <Alert key={note} severity="info" role="note">
          {note}
        </Alert>
      ))}
      {hasProblems && inspection.better_type && (
        <Alert
          severity="warning"
          role="note"
          action={
            <Button color="inherit" size="small" onClick={() => onType(inspection.better_type as ImportType)}>
              {t('wizard.better.change')}
            </Button>
          }
        >
          {t('wizard.better.text', { type: labels.enum('type', inspection.better_type) })}
        </Alert>
      )}
      {profile && profile.missing_columns.length > 0 && (
        <Alert severity="warning" role="note">
          {profiles('wizard.missing', {
            count: profile.missing_columns.length,
            names: profile.missing_columns.join(', '),
          })}
        </Alert>
      )}
      {findings.missing.length > 0 && (
        <Alert severity="error" role="note" data-problem tabIndex={-1}>
          {findings.missing.map((group) => (
            <div key={group.join()}>{t('wizard.columns.missing', { fields: group.map(label).join(` ${t('wizard.columns.or')} `) })}</div>
          ))}
        </Alert>
      )}
      {inspection.remembered && (
        <RememberedMapping
          remembered={inspection.remembered}
          constants={inspection.remembered.constants.filter(({ field, value }) => constants[field] !== value && !fields.includes(field))}
          label={label}
          onForgotten={onForgotten}
          onConstants={onConstants}
        />
      )}
      {findings.unused.length > 0 && (
        <Alert severity="warning" role="note">
          {t('wizard.columns.unused', {
            count: findings.unused.length,
            names: findings.unused.map((at) => nameOf(inspection.columns, at)).join(', '),
          })}
        </Alert>
      )}
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>
        <Typography variant="body2" color="textSecondary" role="status" sx={{ flex: 1, minWidth: 180 }}>
          {t('wizard.columns.used', { count: mappedCount, total: inspection.columns.length })}
        </Typography>
        {!hasProblems && findings.unused.length === 0 && (
          <Button
            color="inherit"
            size="small"
            aria-expanded={open}
            onClick={() => setIsExpanded(!isExpanded)}
            endIcon={open ? <ChevronUp size={16} /> : <ChevronDown size={16} />}
          >
            {t(open ? 'wizard.columns.hide' : 'wizard.columns.show')}
          </Button>
        )}
      </Box>
      <ConstantFields fields={constantFields(inspection, fields)} constants={constants} onChange={onConstant} />
      <FirstRows inspection={inspection} fields={fields} nameOf={(at) => nameOf(inspection.columns, at)} />
      {!open && <PriceMeasures inspection={inspection} fields={fields} units={units} />}
      {open && (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', border: 1, borderColor: 'divider', borderRadius: 1 }}>
          {inspection.columns.map((column, at) => (
            <ColumnRow
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file stay where they are, and names may repeat
              key={at}
              column={column}
              name={nameOf(inspection.columns, at)}
              field={fields[at] ?? null}
              inspection={inspection}
              unit={chosenUnit(column, units, at)}
              error={
                findings.duplicates.has(at)
                  ? t('wizard.columns.twin', { other: nameOf(inspection.columns, findings.duplicates.get(at) ?? 0) })
                  : (refused[String(at)]?.join(' ') ?? findings.refused.get(at) ?? null)
              }
              onChoose={(field) => onChoose(at, field)}
              onUnit={(unit) => {
                // keeps the section open while the user is working in it
                setIsExpanded(true)
                onUnit(at, unit)
              }}
            />
          ))}
        </Box>
      )}
    </Box>
  )
}

/** Name of a column, or its letter as in a spreadsheet if it has none. */
function nameOf(columns: readonly ImportColumn[], at: number): string {
  const columnLetters = (index: number): string =>
    (index >= 26 ? columnLetters(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))
  return columns[at]?.name || columnLetters(at)
}

/** Quantity and unit that each price column is for, shown while the columns themselves are collapsed. */
function PriceMeasures({ inspection, fields, units }: { inspection: ImportInspection; fields: readonly (string | null)[]; units: Units }) {
  const { t } = useTranslation('imports')
  const write = useMeasureText()
  const prices = inspection.columns.flatMap((column, at) => {
    if (unitKind(inspection.fields, fields[at] ?? null) !== 'price') return []
    const chosen = chosenUnit(column, units, at)
    return [{ at, measure: write(chosen === '' ? column : { measure: readMeasure(chosen) }) }]
  })
  if (prices.length === 0) return null
  return (
    <Box component="ul" sx={{ m: 0, pl: 2.5, typography: 'body2' }}>
      {prices.map(({ at, measure }) => (
        <li key={at}>
          {measure === null
            ? t('wizard.measure.summaryUsual', { column: nameOf(inspection.columns, at) })
            : t('wizard.measure.summary', { column: nameOf(inspection.columns, at), measure })}
        </li>
      ))}
    </Box>
  )
}

interface RememberedProps {
  remembered: NonNullable<ImportInspection['remembered']>
  /** Constants of the earlier import that differ from those of this one. */
  constants: ImportConstant[]
  label: (field: string) => string
  onForgotten: () => void
  onConstants: (constants: ImportConstant[]) => void
}

/**
 * Note that the file is read like an earlier import; its constants are only offered, because they rarely fit
 * every file.
 */
function RememberedMapping({
  remembered: { import_id: id, created_at, columns },
  constants,
  label,
  onForgotten,
  onConstants,
}: RememberedProps) {
  const { t } = useTranslation('imports')
  const format = useFormat()
  const { search } = useLocation()
  const forget = useMutation({ mutationFn: () => inspections.forgetMapping(id), onSuccess: onForgotten })
  return (
    <>
      <Alert
        severity="info"
        role="note"
        action={
          <Button color="inherit" size="small" loading={forget.isPending} onClick={() => forget.mutate()}>
            {t('wizard.remembered.forget')}
          </Button>
        }
      >
        {t(columns.length > 0 ? 'wizard.remembered.text' : 'wizard.remembered.before', { when: format.dateTime(created_at) })}{' '}
        <Link component={RouterLink} to={{ pathname: `../${id}`, search }} relative="path" color="inherit">
          {t('detail.identicalLink', { id })}
        </Link>
        {constants.length > 0 && (
          <Box sx={{ mt: 0.5 }}>
            {t('wizard.remembered.constants', { values: constants.map(({ field, value }) => `${label(field)}: ${value}`).join(', ') })}{' '}
            <Button color="inherit" size="small" onClick={() => onConstants(constants)}>
              {t('wizard.remembered.take')}
            </Button>
          </Box>
        )}
      </Alert>
      <FormErrors error={forget.error} />
    </>
  )
}

interface RowProps {
  column: ImportColumn
  name: string
  field: string | null
  inspection: ImportInspection
  unit: string
  error: string | null
  onChoose: (field: string | null) => void
  onUnit: (unit: string) => void
}

/** Row for one column: name, sample values and meaning. */
function ColumnRow({ column, name, field, inspection, unit, error, onChoose, onUnit }: RowProps) {
  const { t } = useTranslation('imports')
  const id = useId()
  const chosen = inspection.fields.find((candidate) => candidate.key === field)
  // how the column was recognised, if that is worth mentioning
  const { recognised, recognised_by, unread } = column
  const isByOtherColumn = field !== null && field === recognised && recognised_by !== null && recognised_by !== column.name
  const { suggestion } = column
  const isSuggested = suggestion !== null && suggestion?.field === field && column.field === null
  const remark = isSuggested
    ? t(`wizard.columns.suggested.${suggestion.reason}`)
    : field === null && unread
      ? t('wizard.columns.own')
      : isByOtherColumn
        ? t('wizard.columns.byName', { name: recognised_by })
        : null
  const kind = unitKind(inspection.fields, field)
  const helperText = error ?? remark ?? chosen?.help ?? null
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' },
        columnGap: 2,
        rowGap: 0.5,
        px: 2,
        py: 1.25,
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Typography component="label" htmlFor={id} variant="body2" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        <Typography variant="caption" component="div" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {column.samples.filter(Boolean).slice(0, 3).join(' · ') || t('wizard.columns.noSamples')}
        </Typography>
      </Box>
      <Box>
        <NativeSelect
          fullWidth
          size="small"
          value={field ?? ''}
          error={error !== null}
          onChange={(event) => onChoose((event.target.value as string) || null)}
          inputProps={{ id, 'aria-describedby': helperText ? `${id}-help` : undefined }}
        >
          <option value="">{t('wizard.columns.leaveOut')}</option>
          {inspection.fields.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </NativeSelect>
        {helperText && (
          <Typography id={`${id}-help`} variant="caption" component="p" color={error === null ? 'textSecondary' : 'error'} sx={{ mt: 0.5 }}>
            {helperText}
          </Typography>
        )}
        {kind && <MeasureField name={name} column={column} kind={kind} chosen={unit} onChoose={onUnit} />}
      </Box>
    </Box>
  )
}
