import FormHelperText from '@mui/material/FormHelperText'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput'
import { type ReactNode, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { formatDecimal, isDecimal } from '~/lib/decimal'
import type { Lang } from '~/lib/lang'
import { type NumberReading, readNumber } from '~/lib/reader'

interface Props extends Omit<OutlinedInputProps, 'value' | 'onChange' | 'onBlur'> {
  value: string
  onChange: (value: string) => void
  onBlur: () => void
  unit?: ReactNode
  /** Parser for fields that accept more than a number, such as its unit. */
  read?: ((typed: string, lang: Lang) => NumberReading | null) | undefined
  onTyped?: (typed: string) => void
}

/** Decimal places shown. More than any field accepts, so that a value with too many is shown in full. */
const ALL = 20

/** True for units of money: the currency alone, or per something. */
export const isMoney = (unit: ReactNode) => typeof unit === 'string' && unit.startsWith('€')

/** Formats a canonical decimal, money with its cents; returns any other text unchanged. */
export const decimalText = (value: string, lang: Lang, unit?: ReactNode) =>
  isDecimal(value) ? formatDecimal(value, lang, ALL, true, isMoney(unit) ? 2 : 0) : value

/** Thousands separators, which are removed for editing. */
const GROUPING: Record<Lang, string> = { de: '.', en: ',' }

/**
 * Removes the thousands separators after the first edit of a formatted number; returns the text and its part
 * before the caret. The characters just typed are left as they are.
 */
function ungroup(formatted: string, { value, selectionStart }: HTMLInputElement, lang: Lang) {
  const caret = selectionStart ?? value.length
  const removeGrouping = (text: string) => text.replaceAll(GROUPING[lang], '')
  let commonLength = 0
  while (commonLength < caret && value[commonLength] === formatted[commonLength]) commonLength++
  const head = removeGrouping(value.slice(0, commonLength)) + value.slice(commonLength, caret)
  return { head, text: head + removeGrouping(value.slice(caret)) }
}

/** True for edits that enter a whole text in one step. */
const isPasted = ({ inputType, data }: InputEvent) => !inputType || /^insertFrom|Replacement/.test(inputType) || (data?.length ?? 0) > 1

/**
 * Input for a decimal with comma or point. Its value is a canonical decimal, or the typed text while that is
 * no number. For an ambiguous text such as `1.234` it shows how the text was read until something else is
 * typed. Numbers are grouped until they are edited.
 */
export function DecimalInput({ value, onChange, onBlur, unit, read = readNumber, onTyped, inputProps, ...props }: Props) {
  const { t } = useTranslation()
  const { lang } = useFormat()
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [doubtful, setDoubtful] = useState<string | null>(null)
  const interpretationText = doubtful !== null && doubtful === value ? t('readAs', { value: formatDecimal(value, lang, ALL, true, 2) }) : ''
  const describedBy = [inputProps?.['aria-describedby'], interpretationText && id].filter(Boolean).join(' ')
  const formatted = decimalText(value, lang, unit)

  function enter(text: string) {
    const reading = read(text, lang)
    setTyped(text)
    setDoubtful(reading?.isDoubtful ? reading.value : null)
    onChange(reading?.value ?? text.trim())
    onTyped?.(text)
  }

  return (
    <>
      <OutlinedInput
        {...props}
        value={typed ?? formatted}
        onChange={(event) => {
          const input = event.target as HTMLInputElement
          if (typed !== null || (isPasted(event.nativeEvent as InputEvent) && read(input.value, lang))) return enter(input.value)
          const { head, text } = ungroup(formatted, input, lang)
          flushSync(() => enter(text))
          input.setSelectionRange(head.length, head.length)
        }}
        onBlur={() => {
          setTyped(null)
          onBlur()
        }}
        endAdornment={unit && <InputAdornment position="end">{unit}</InputAdornment>}
        inputProps={{ inputMode: 'decimal', autoComplete: 'off', ...inputProps, 'aria-describedby': describedBy || undefined }}
      />
      <FormHelperText id={id} aria-live="polite" error={false} sx={{ '&:empty': { display: 'none' } }}>
        {interpretationText}
      </FormHelperText>
    </>
  )
}
