import Box from '@mui/material/Box'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useId } from 'react'
import { asText } from './as-text'
import { FieldShell } from './field-shell'

/** Read-only value among the fields of a form. */
export function ShownField({ label, value, help = '' }: { label: string; value: string; help?: string }) {
  const id = useId()
  return (
    <Box sx={asText}>
      <FieldShell id={id} label={label} help={help} error={null}>
        <OutlinedInput id={id} value={value} disabled inputProps={help ? { 'aria-describedby': `${id}-help` } : {}} />
      </FieldShell>
    </Box>
  )
}
