import Button from '@mui/material/Button'
import FormControl from '@mui/material/FormControl'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client, data } from '~/api/client'
import { ApiError } from '~/api/errors'
import { PasswordInput } from '~/features/identity/shared/password-input'
import { Notice } from '~/kit/ui/notice'

interface Props {
  /** Set if only this account may sign in, because its form is still open below the dialog. */
  fixedEmail?: string
  email: string
  password: string
  onChange: (value: { email: string; password: string }) => void
  onToken: (token: string) => void
}

/** Login form of two plain inputs; the form library would cost more than it saves here. */
export function LoginForm({ fixedEmail, email, password, onChange, onToken }: Props) {
  const { t } = useTranslation('auth')
  const id = useId()
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [hasSubmitted, setHasSubmitted] = useState(false)
  const emailInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  const address = fixedEmail ?? email
  const emailError = !hasSubmitted
    ? null
    : address.trim() === ''
      ? t('required')
      : /^\S+@\S+$/.test(address.trim())
        ? null
        : t('emailInvalid')
  const passwordError = hasSubmitted && password === '' ? t('required') : null

  async function submit(event: FormEvent) {
    event.preventDefault()
    event.stopPropagation()
    setHasSubmitted(true)
    setError(null)
    if (!/^\S+@\S+$/.test(address.trim())) return emailInput.current?.focus()
    if (password === '') return passwordInput.current?.focus()
    setPending(true)
    try {
      const { session } = await data(client.POST('/api/sessions', { body: { email: address.trim(), password } }))
      onToken(session.token)
    } catch (failure) {
      setError(failure)
      setPending(false)
      passwordInput.current?.select()
    }
  }

  return (
    <Stack component="form" noValidate onSubmit={submit} spacing={2.5} sx={{ width: '100%' }}>
      {error !== null && <Notice tone="error">{loginErrorText(error, t)}</Notice>}
      <FormControl fullWidth error={emailError !== null}>
        <FormLabel htmlFor={`${id}-email`}>{t('email')}</FormLabel>
        <OutlinedInput
          id={`${id}-email`}
          inputRef={emailInput}
          type="email"
          name="email"
          autoComplete="username"
          autoFocus={address === ''}
          readOnly={fixedEmail !== undefined}
          value={address}
          onChange={(event) => onChange({ email: event.target.value, password })}
          inputProps={{ maxLength: 255, 'aria-required': true, ...(emailError && { 'aria-describedby': `${id}-email-error` }) }}
        />
        {emailError && <FormHelperText id={`${id}-email-error`}>{emailError}</FormHelperText>}
      </FormControl>
      <PasswordInput
        label={t('password')}
        inputRef={passwordInput}
        autoFocus={address !== ''}
        autoComplete="current-password"
        value={password}
        onChange={(value) => onChange({ email, password: value })}
        error={passwordError}
      />
      <Button type="submit" variant="contained" size="large" fullWidth loading={pending}>
        {t('signIn')}
      </Button>
    </Stack>
  )
}

function loginErrorText(error: unknown, t: ReturnType<typeof useTranslation<'auth'>>['t']): string {
  if (!(error instanceof ApiError)) return t('unknownError')
  if (error.status === 401) return t('invalidCredentials')
  if (error.status === 429) {
    return error.retryAfter ? t('tooMany', { seconds: error.retryAfter }) : error.message || t('unknownError')
  }
  if (error.status === 503) return t('busy')
  return t('unknownError')
}
