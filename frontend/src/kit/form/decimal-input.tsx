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
  /** Where more than the number may be typed, as its unit. */
  read?: ((typed: string, lang: Lang) => NumberReading | null) | undefined
  onTyped?: (typed: string) => void
}

/** More than any field takes: what is refused for its digits must be seen with all of them. */
const ALL = 20

/** True for units of money: the currency alone, or per something. */
export const isMoney = (unit: ReactNode) => typeof unit === 'string' && unit.startsWith('€')

/** A canonical decimal as people read it, money with its cents; anything else as it is. */
export const decimalText = (value: string, lang: Lang, unit?: ReactNode) =>
  isDecimal(value) ? formatDecimal(value, lang, ALL, true, isMoney(unit) ? 2 : 0) : value

/** The signs between thousands, which would be in the way of an edit. */
const GROUPING: Record<Lang, string> = { de: '.', en: ',' }

/**
 * The text after the first edit of a number that was shown with groups, and its part before the caret. Only what was
 * typed stays as it is.
 */
function ungroup(shown: string, { value, selectionStart }: HTMLInputElement, lang: Lang) {
  const caret = selectionStart ?? value.length
  const plain = (text: string) => text.replaceAll(GROUPING[lang], '')
  let same = 0
  while (same < caret && value[same] === shown[same]) same++
  const head = plain(value.slice(0, same)) + value.slice(same, caret)
  return { head, text: head + plain(value.slice(caret)) }
}

/** True for edits that enter a whole text at once. */
const isPasted = ({ inputType, data }: InputEvent) => !inputType || /^insertFrom|Replacement/.test(inputType) || (data?.length ?? 0) > 1

/**
 * Comma or point; gives a canonical decimal, or what was typed while it is none. A text that others would read differently, as
 * `1.234`, is shown as it was understood until something else is typed. It is grouped until it is edited.
 */
export function DecimalInput({ value, onChange, onBlur, unit, read = readNumber, onTyped, inputProps, ...props }: Props) {
  const { t } = useTranslation()
  const { lang } = useFormat()
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [doubtful, setDoubtful] = useState<string | null>(null)
  const understood = doubtful !== null && doubtful === value ? t('readAs', { value: formatDecimal(value, lang, ALL, true, 2) }) : ''
  const described = [inputProps?.['aria-describedby'], understood && id].filter(Boolean).join(' ')
  const shown = decimalText(value, lang, unit)

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
        value={typed ?? shown}
        onChange={(event) => {
          const input = event.target as HTMLInputElement
          if (typed !== null || (isPasted(event.nativeEvent as InputEvent) && read(input.value, lang))) return enter(input.value)
          const { head, text } = ungroup(shown, input, lang)
          flushSync(() => enter(text))
          input.setSelectionRange(head.length, head.length)
        }}
        onBlur={() => {
          setTyped(null)
          onBlur()
        }}
        endAdornment={unit && <InputAdornment position="end">{unit}</InputAdornment>}
        inputProps={{ inputMode: 'decimal', autoComplete: 'off', ...inputProps, 'aria-describedby': described || undefined }}
      />
      <FormHelperText id={id} aria-live="polite" error={false} sx={{ '&:empty': { display: 'none' } }}>
        {understood}
      </FormHelperText>
    </>
  )
}
