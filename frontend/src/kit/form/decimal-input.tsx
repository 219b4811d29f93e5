import FormHelperText from '@mui/material/FormHelperText'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput'
import { type ReactNode, useId, useState } from 'react'
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

/** As a field shows a canonical decimal; anything else as it is. */
export const decimalText = (value: string, lang: Lang) => (isDecimal(value) ? formatDecimal(value, lang, ALL, false) : value)

/**
 * Comma or point; gives a canonical decimal, or what was typed while it is none. What somebody else would read otherwise, as
 * `1.234`, is shown as it was understood until something else is typed.
 */
export function DecimalInput({ value, onChange, onBlur, unit, read = readNumber, onTyped, inputProps, ...props }: Props) {
  const { t } = useTranslation()
  const { lang } = useFormat()
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [doubtful, setDoubtful] = useState<string | null>(null)
  const understood = doubtful !== null && doubtful === value ? t('readAs', { value: formatDecimal(value, lang, ALL, true, 2) }) : ''
  const described = [inputProps?.['aria-describedby'], understood && id].filter(Boolean).join(' ')
  return (
    <>
      <OutlinedInput
        {...props}
        value={typed ?? decimalText(value, lang)}
        onChange={(event) => {
          const reading = read(event.target.value, lang)
          setTyped(event.target.value)
          setDoubtful(reading?.isDoubtful ? reading.value : null)
          onChange(reading?.value ?? event.target.value.trim())
          onTyped?.(event.target.value)
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
