import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput'
import Popover from '@mui/material/Popover'
import { CalendarDays } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { EARLIEST, formatDay, isDay, LATEST, parseDay } from '~/lib/days'
import type { Lang } from '~/lib/lang'

const Calendar = lazyWithTexts(() => import('./calendar'))

interface Props extends Omit<OutlinedInputProps, 'value' | 'onChange' | 'onBlur'> {
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  min?: string | undefined
  max?: string | undefined
}

/** Formats a calendar day for a field; returns any other text unchanged. */
export const dayFieldText = (value: string, lang: Lang) => (isDay(value) ? formatDay(value, lang) : value)

/**
 * Input for a day, typed or chosen from a calendar. Its value is `yyyy-mm-dd`, or the typed text while that
 * is no day.
 */
export function DateInput({ value, onChange, onBlur, min = EARLIEST, max = LATEST, inputProps, ...props }: Props) {
  const { t } = useTranslation()
  const { lang } = useFormat()
  const [typed, setTyped] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const field = useRef<HTMLDivElement>(null)
  return (
    <>
      <OutlinedInput
        {...props}
        ref={field}
        value={typed ?? dayFieldText(value, lang)}
        placeholder={t('date.format')}
        onChange={(event) => {
          setTyped(event.target.value)
          onChange(parseDay(event.target.value) ?? event.target.value.trim())
        }}
        onBlur={() => {
          setTyped(null)
          onBlur?.()
        }}
        onKeyDown={(event) => {
          if (!event.altKey || event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
        inputProps={{ autoComplete: 'off', inputMode: 'numeric', maxLength: 20, ...inputProps }}
        endAdornment={
          <InputAdornment position="end">
            <IconButton
              edge="end"
              size="small"
              aria-label={t('date.open')}
              aria-haspopup="dialog"
              disabled={props.disabled}
              onClick={() => setOpen(true)}
            >
              <CalendarDays size={18} />
            </IconButton>
          </InputAdornment>
        }
      />
      <Popover
        open={open}
        anchorEl={() => field.current}
        onClose={() => setOpen(false)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { sx: { mt: 0.5 }, role: 'dialog', 'aria-label': t('date.open') } }}
      >
        {/* as large as the calendar, so that the popover's position stays right */}
        <Suspense fallback={<Box sx={{ width: 276, height: 316 }} />}>
          <Calendar
            value={isDay(value) ? value : null}
            min={min}
            max={max}
            onPick={(day) => {
              setTyped(null)
              onChange(day)
              setOpen(false)
            }}
          />
        </Suspense>
      </Popover>
    </>
  )
}
