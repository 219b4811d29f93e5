import Box from '@mui/material/Box'
import OutlinedInput from '@mui/material/OutlinedInput'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportInspection, ImportSettings } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { NativeSelect } from '~/kit/ui/native-select'

interface Props {
  inspection: ImportInspection
  reading: ImportSettings
  /** True if the file has been read with these settings. */
  isCurrent: boolean
  onChange: (reading: ImportSettings) => void
}

const DELIMITERS = [';', ',', '\t', '|']
const ENCODINGS = ['UTF-8', 'Windows-1252', 'Windows-1250']
const DECIMAL_SIGNS = [',', '.'] as const
const LAST_LINE = 1_048_576

/** Settings for reading the file, preset with the recognised ones. */
export function ReadingFields({ inspection, reading, isCurrent, onChange }: Props) {
  const { t } = useTranslation('imports')
  const format = useFormat()
  const { encoding, delimiter } = inspection
  // choices are shown at once, before the file has been read with them
  const requested = isCurrent ? {} : reading
  const name = (sign: string) => (sign === '\t' ? t('wizard.format.tab') : sign)
  const choose = (choice: ImportSettings) => onChange({ ...reading, ...choice })
  return (
    <Box component="fieldset" sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, rowGap: 1.5, m: 0, p: 0, border: 0 }}>
      <Box component="legend" sx={{ typography: 'body2', color: 'text.secondary', p: 0, mb: 1 }}>
        {t('wizard.format.legend', {
          format: inspection.format === 'xlsx' ? 'Excel (XLSX)' : 'CSV',
          columns: format.decimal(inspection.columns.length),
          rows: inspection.rows === null ? t('wizard.format.many') : format.decimal(inspection.rows),
        })}
      </Box>
      {inspection.sheets.length > 1 && (
        <Choice
          label={t('wizard.format.sheet')}
          value={requested.sheet ?? inspection.sheet ?? ''}
          values={inspection.sheets}
          // another sheet may have its header in another line
          onChoose={(sheet) => onChange({ ...withoutHeader(reading), sheet })}
        />
      )}
      {encoding !== null && (
        <Choice
          label={t('wizard.format.encoding')}
          value={requested.encoding ?? encoding}
          values={ENCODINGS.includes(encoding) ? ENCODINGS : [encoding, ...ENCODINGS]}
          onChoose={(encoding) => choose({ encoding })}
        />
      )}
      {delimiter !== null && (
        <Choice
          label={t('wizard.format.delimiter')}
          value={requested.delimiter ?? delimiter}
          values={DELIMITERS}
          text={name}
          onChoose={(delimiter) => onChange({ ...withoutHeader(reading), delimiter })}
        />
      )}
      <Choice
        label={t('wizard.format.decimals')}
        value={requested.decimal_sign ?? inspection.decimal_sign}
        values={DECIMAL_SIGNS}
        text={(sign) => t(sign === ',' ? 'wizard.format.comma' : 'wizard.format.point')}
        onChoose={(decimal_sign) => choose({ decimal_sign })}
      />
      <Labelled label={t('wizard.format.header')}>
        {(id) => (
          <HeaderLine id={id} line={requested.header_line ?? inspection.header_line} onChange={(header_line) => choose({ header_line })} />
        )}
      </Labelled>
    </Box>
  )
}

interface HeaderLineProps {
  id: string
  line: number
  onChange: (line: number) => void
}

/** Number of the line with the headings; it takes effect when the user leaves the field or presses Enter. */
function HeaderLine({ id, line, onChange }: HeaderLineProps) {
  const [input, setInput] = useState({ line, text: String(line) })
  if (input.line !== line) setInput({ line, text: String(line) })
  /** Reports another line; returns false if it is the same one, or invalid. */
  function commitLine(): boolean {
    const entered = Number(input.text)
    const isValid = Number.isInteger(entered) && entered >= 1 && entered <= LAST_LINE
    if (!isValid) setInput({ line, text: String(line) })
    if (!isValid || entered === line) return false
    onChange(entered)
    return true
  }
  return (
    <OutlinedInput
      id={id}
      size="small"
      type="number"
      value={input.text}
      onChange={(event) => setInput({ line, text: event.target.value })}
      inputProps={{ min: 1, max: LAST_LINE, inputMode: 'numeric' }}
      onBlur={commitLine}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        // with Ctrl the event would also submit the form, before the file has been read
        if (commitLine()) event.stopPropagation()
      }}
      sx={{ width: 110 }}
    />
  )
}

const withoutHeader = ({ header_line: _, ...rest }: ImportSettings): ImportSettings => rest

interface ChoiceProps {
  label: string
  value: string
  values: readonly string[]
  text?: (value: string) => string
  onChoose: (value: string) => void
}

function Choice({ label, value, values, text = (value) => value, onChoose }: ChoiceProps) {
  return (
    <Labelled label={label}>
      {(id) => (
        <NativeSelect size="small" value={value} onChange={(event) => onChoose(event.target.value as string)} inputProps={{ id }}>
          {values.map((choiceValue) => (
            <option key={choiceValue} value={choiceValue}>
              {text(choiceValue)}
            </option>
          ))}
        </NativeSelect>
      )}
    </Labelled>
  )
}

/** A small field below its label. */
export function Labelled({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 0.5, minWidth: 0 }}>
      <Box component="label" htmlFor={id} sx={{ typography: 'caption', color: 'text.secondary' }}>
        {label}
      </Box>
      {children(id)}
    </Box>
  )
}
