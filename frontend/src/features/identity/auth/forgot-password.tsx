import Button from '@mui/material/Button'
import FormControl from '@mui/material/FormControl'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { client } from '~/api/client'
import { ApiError } from '~/api/errors'
import { useDocumentTitle } from '~/kit/ui/document-title'
import { useErrorText } from '~/kit/ui/error-text'
import { Notice } from '~/kit/ui/notice'
import { Heading } from './card'

/**
 * Form that requests a reset link; the next page is the same for every address, so that it does not reveal
 * accounts.
 */
export default function ForgotPassword() {
  const { t } = useTranslation(['passwordReset', 'auth'])
  const { state } = useLocation() as { state: { email?: string } | null }
  const navigate = useNavigate()
  const errorText = useErrorText()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [email, setEmail] = useState(state?.email ?? '')
  const [hasSubmitted, setHasSubmitted] = useState(false)
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  useDocumentTitle(t('forgot.title'))

  const address = email.trim()
  const emailProblem = failure instanceof ApiError ? (failure.fields.email?.join(' ') ?? null) : null
  const own = address === '' ? t('auth:required') : /^\S+@\S+$/.test(address) ? null : t('auth:emailInvalid')
  const error = emailProblem ?? (hasSubmitted ? own : null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setHasSubmitted(true)
    setFailure(null)
    if (own) return input.current?.focus()
    setPending(true)
    try {
      await client.POST('/api/password-reset', { body: { email: address } })
      void navigate('/check-mail', { state: { email: address } })
    } catch (problem) {
      setFailure(problem)
      setPending(false)
      input.current?.focus()
    }
  }

  return (
    <Stack spacing={3}>
      <Heading title={t('forgot.title')}>{t('forgot.intro')}</Heading>
      <Stack component="form" noValidate onSubmit={submit} spacing={2.5}>
        {failure !== null && emailProblem === null && <Notice tone="error">{errorText(failure)}</Notice>}
        <FormControl fullWidth error={error !== null}>
          <FormLabel htmlFor={id}>{t('auth:email')}</FormLabel>
          <OutlinedInput
            id={id}
            inputRef={input}
            type="email"
            name="email"
            autoComplete="username"
            autoFocus
            value={email}
            onChange={(event) => {
              setEmail(event.target.value)
              setFailure(null)
            }}
            inputProps={{ maxLength: 255, 'aria-required': true, ...(error && { 'aria-describedby': `${id}-error` }) }}
          />
          {error && <FormHelperText id={`${id}-error`}>{error}</FormHelperText>}
        </FormControl>
        <Button type="submit" variant="contained" size="large" fullWidth loading={pending}>
          {t('forgot.submit')}
        </Button>
        <Button component={Link} to="/login" state={address ? { email: address } : null} fullWidth>
          {t('forgot.back')}
        </Button>
      </Stack>
    </Stack>
  )
}
