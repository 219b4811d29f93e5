import FormControl from '@mui/material/FormControl'
import FormLabel from '@mui/material/FormLabel'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import { Copy } from 'lucide-react'
import { useId, useRef } from 'react'
import { notify } from './snackbar'

interface Props {
  label: string
  text: string
  /** Label of the button. */
  action: string
  /** Message after copying. */
  done: string
  /** True if the text may have several lines. */
  multiline?: boolean
  /** True if the button takes the focus. */
  autoFocus?: boolean
}

/** Text to copy: shown in full, with a button that copies it. */
export function CopyText({ label, text, action, done, multiline = false, autoFocus = false }: Props) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      notify.success(done)
    } catch {
      // without https there is no clipboard: selects the text, so that the user can copy it
      field.current?.focus()
      field.current?.select()
    }
  }

  return (
    <FormControl fullWidth>
      <FormLabel htmlFor={id}>{label}</FormLabel>
      <OutlinedInput
        id={id}
        inputRef={field}
        value={text}
        readOnly
        multiline={multiline}
        onFocus={(event) => event.target.select()}
        inputProps={{ spellCheck: false, style: { fontFamily: 'ui-monospace, monospace', fontSize: '0.8125rem' } }}
        endAdornment={
          <InputAdornment position="end">
            <IconButton
              {...(!multiline && { edge: 'end' })}
              aria-label={action}
              title={action}
              onClick={() => void copy()}
              autoFocus={autoFocus}
            >
              <Copy size={18} />
            </IconButton>
          </InputAdornment>
        }
      />
    </FormControl>
  )
}
