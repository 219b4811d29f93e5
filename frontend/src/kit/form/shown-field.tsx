import Box from '@mui/material/Box'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useId } from 'react'
import { FieldShell } from './field-shell'
import { readOnlyFieldStyles } from './read-only-field-styles'

/** Read-only value among the fields of a form. */
export function ShownField({ label, value, help = '' }: { label: string; value: string; help?: string }) {
  const id = useId()
  return (
    <Box sx={readOnlyFieldStyles}>
      <FieldShell id={id} label={label} help={help} error={null}>
        <OutlinedInput id={id} value={value} disabled inputProps={help ? { 'aria-describedby': `${id}-help` } : {}} />
      </FieldShell>
    </Box>
  )
}
