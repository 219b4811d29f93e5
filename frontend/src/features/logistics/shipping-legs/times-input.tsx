import Box from '@mui/material/Box'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import { type Ref, useId, useState } from 'react'
import { completeDepartureTime } from '~/features/shared/departure-text'

interface Props {
  /** Weekday. */
  label: string
  times: readonly string[]
  error: string | null
  inputRef: Ref<HTMLInputElement> | undefined
  onChange: (times: string[]) => void
  onBlur: () => void
}

/** Splits a text into times as typed: `6, 9:30 1430`. */
const timesOf = (text: string): string[] =>
  text
    .split(/[,;\s]+|uhr/i)
    .filter((token) => token !== '')
    .map(completeDepartureTime)

/**
 * Input for several times of day, separated by commas; they are sorted and made unique when it loses focus.
 */
export function TimesInput({ label, times, error, inputRef, onChange, onBlur }: Props) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <>
      <FormLabel htmlFor={id} error={error !== null} sx={{ pt: '10px', m: 0 }}>
        {label}
      </FormLabel>
      <Box sx={{ minWidth: 0 }}>
        <OutlinedInput
          id={id}
          fullWidth
          inputRef={inputRef}
          value={typed ?? times.join(', ')}
          error={error !== null}
          onChange={(event) => {
            setTyped(event.target.value)
            onChange(timesOf(event.target.value))
          }}
          onBlur={() => {
            setTyped(null)
            const sortedTimes = [...new Set(times)].sort()
            if (sortedTimes.join() !== times.join()) onChange(sortedTimes)
            onBlur()
          }}
          inputProps={{ autoComplete: 'off', maxLength: 500, ...(error !== null && { 'aria-describedby': `${id}-error` }) }}
        />
        {error !== null && (
          <FormHelperText id={`${id}-error`} error>
            {error}
          </FormHelperText>
        )}
      </Box>
    </>
  )
}
