import FormControl from '@mui/material/FormControl'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import { Eye, EyeOff } from 'lucide-react'
import { type KeyboardEvent, type Ref, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  label: string
  name?: string
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  error: string | null
  /** Help text, shown unless there is an error. */
  help?: string
  inputRef?: Ref<HTMLInputElement>
  autoFocus?: boolean
  autoComplete: 'current-password' | 'new-password'
}

/** Password input that can reveal its text, and warns about Caps Lock while the text is hidden. */
export function PasswordInput(props: Props) {
  const { label, name = 'password', value, onChange, error, help, inputRef, autoFocus = false, autoComplete } = props
  const { t } = useTranslation('auth')
  const id = useId()
  const [isVisible, setIsVisible] = useState(false)
  const [caps, setCaps] = useState(false)
  const updateCapsLock = (event: KeyboardEvent) => setCaps(event.getModifierState?.('CapsLock') ?? false)
  const warning = caps && !isVisible ? t('capsLock') : null
  return (
    <FormControl fullWidth error={error !== null}>
      <FormLabel htmlFor={id}>{label}</FormLabel>
      <OutlinedInput
        id={id}
        inputRef={inputRef}
        type={isVisible ? 'text' : 'password'}
        name={name}
        autoComplete={autoComplete}
        autoFocus={autoFocus}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={updateCapsLock}
        onKeyUp={updateCapsLock}
        onBlur={() => {
          setCaps(false)
          props.onBlur?.()
        }}
        inputProps={{ maxLength: 255, 'aria-required': true, 'aria-describedby': `${id}-help`, spellCheck: false }}
        endAdornment={
          <InputAdornment position="end">
            <IconButton
              edge="end"
              aria-label={t(isVisible ? 'hidePassword' : 'showPassword')}
              aria-pressed={isVisible}
              onClick={() => setIsVisible(!isVisible)}
            >
              {isVisible ? <EyeOff size={18} /> : <Eye size={18} />}
            </IconButton>
          </InputAdornment>
        }
      />
      <FormHelperText id={`${id}-help`} role="status" sx={warning && !error ? { color: 'warning.main' } : {}}>
        {error ?? warning ?? help}
      </FormHelperText>
    </FormControl>
  )
}
