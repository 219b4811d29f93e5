import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput'
import { type ReactNode, useState } from 'react'
import { useFormat } from '~/i18n/use-format'
import { formatDecimal, isDecimal, parseDecimal } from '~/lib/decimal'
import type { Lang } from '~/lib/lang'

interface Props extends Omit<OutlinedInputProps, 'value' | 'onChange' | 'onBlur'> {
  value: string
  onChange: (value: string) => void
  onBlur: () => void
  unit?: ReactNode
}

/** More than any field takes: what is refused for its digits must be seen with all of them. */
const ALL = 20

/** As a field shows a canonical decimal; anything else as it is. */
export const decimalText = (value: string, lang: Lang) => (isDecimal(value) ? formatDecimal(value, lang, ALL, false) : value)

/** Comma or point; gives a canonical decimal, or what was typed while it is none. */
export function DecimalInput({ value, onChange, onBlur, unit, inputProps, ...props }: Props) {
  const { lang } = useFormat()
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <OutlinedInput
      {...props}
      value={typed ?? decimalText(value, lang)}
      onChange={(event) => {
        setTyped(event.target.value)
        onChange(parseDecimal(event.target.value, lang) ?? event.target.value.trim())
      }}
      onBlur={() => {
        setTyped(null)
        onBlur()
      }}
      endAdornment={unit && <InputAdornment position="end">{unit}</InputAdornment>}
      inputProps={{ inputMode: 'decimal', autoComplete: 'off', ...inputProps }}
    />
  )
}
