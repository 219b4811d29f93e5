import Button from '@mui/material/Button'
import FormControl from '@mui/material/FormControl'
import FormLabel from '@mui/material/FormLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isApiError } from '~/api/errors'
import { PasswordInput } from '~/features/identity/shared/password-input'
import { PasswordStrength, usePasswordStrength } from '~/features/identity/shared/password-strength'
import { useErrorText } from '~/kit/ui/error-text'
import { Notice } from '~/kit/ui/notice'
import type { PasswordLink } from './password-link'

interface Props {
  link: PasswordLink
  email: string
  onDone: () => void
  /** Called when the link was used or expired while the form was open. */
  onInvalid: () => void
}

export function NewPasswordForm({ link, email, onDone, onInvalid }: Props) {
  const { t } = useTranslation('auth')
  const id = useId()
  const errorText = useErrorText()
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [hasSubmitted, setHasSubmitted] = useState(false)
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  const repeatedInput = useRef<HTMLInputElement>(null)
  const strength = usePasswordStrength(link, password)

  // the server's message about a password applies until the password changes
  const passwordProblem = failure instanceof ApiError ? (failure.fields.password?.join(' ') ?? null) : null
  const passwordError = passwordProblem ?? (hasSubmitted && password === '' ? t('required') : null)
  const repeatedError = !hasSubmitted ? null : repeated === '' ? t('required') : repeated === password ? null : t('verification.mismatch')

  async function submit(event: FormEvent) {
    event.preventDefault()
    setHasSubmitted(true)
    if (password === '') return passwordInput.current?.focus()
    if (repeated !== password) return repeatedInput.current?.focus()
    setPending(true)
    setFailure(null)
    try {
      await link.set(password)
      onDone()
    } catch (error) {
      if (isApiError(error, 'invalid_link')) return onInvalid()
      setFailure(error)
      setPending(false)
      passwordInput.current?.focus()
    }
  }

  return (
    <Stack component="form" noValidate onSubmit={submit} spacing={2.5}>
      {failure !== null && passwordProblem === null && <Notice tone="error">{errorText(failure)}</Notice>}
      <FormControl fullWidth>
        <FormLabel htmlFor={`${id}-email`}>{t('email')}</FormLabel>
        {/* read-only, so that a password manager stores the password with the address */}
        <OutlinedInput id={`${id}-email`} type="email" name="email" autoComplete="username" readOnly value={email} />
      </FormControl>
      <div>
        <PasswordInput
          label={t('verification.newPassword')}
          inputRef={passwordInput}
          autoFocus
          autoComplete="new-password"
          value={password}
          onChange={(value) => {
            setPassword(value)
            setFailure(null)
          }}
          error={passwordError}
          help={t('verification.rules')}
        />
        {password !== '' && <PasswordStrength password={password} strength={strength} />}
      </div>
      <PasswordInput
        label={t('verification.repeat')}
        name="repeat"
        inputRef={repeatedInput}
        autoComplete="new-password"
        value={repeated}
        onChange={setRepeated}
        error={repeatedError}
      />
      <Button type="submit" variant="contained" size="large" fullWidth loading={pending}>
        {t('verification.submit')}
      </Button>
    </Stack>
  )
}
