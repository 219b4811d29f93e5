import { zodResolver } from '@hookform/resolvers/zod'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Control, useController, useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { client, data } from '~/api/client'
import { ApiError } from '~/api/errors'
import { PasswordInput } from '~/features/identity/shared/password-input'
import { PasswordStrength, usePasswordStrength } from '~/features/identity/shared/password-strength'
import { useFieldError } from '~/kit/form/field-error'
import { code, z } from '~/kit/form/schema'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { Card } from '~/kit/ui/card'
import { useErrorText } from '~/kit/ui/error-text'
import { Notice } from '~/kit/ui/notice'
import { notify } from '~/kit/ui/snackbar'
import { useMe } from '~/session/me'
import { OWN_SESSIONS } from './sessions-card'

const password = () => z.string().check(z.minLength(1, 'required'), z.maxLength(255, code('maxChars', { max: 255 })))
const schema = z
  .object({ current_password: password(), new_password: password(), confirm_password: password() })
  .check(
    z.refine((form) => form.new_password === form.confirm_password, { path: ['confirm_password'], message: 'auth:verification.mismatch' }),
  )
type Passwords = z.infer<typeof schema>

/** Rating by the server; nothing is stored. */
const OWN = {
  key: 'own',
  rate: (password: string) => data(client.POST('/api/users/me/password/strength', { body: { password } })),
}

const EMPTY: Passwords = { current_password: '', new_password: '', confirm_password: '' }

/** Changes the password, which ends all other sessions. */
export function PasswordCard({ onDirty }: { onDirty: (dirty: boolean) => void }) {
  const { t } = useTranslation(['profile', 'auth'])
  const me = useMe()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const form = useForm({ resolver: zodResolver(schema), mode: 'onTouched', defaultValues: EMPTY })
  const { isDirty, isValid } = form.formState
  const newPassword = form.watch('new_password')
  const strength = usePasswordStrength(OWN, newPassword)
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])

  const change = useMutation({
    // the confirmation is checked in the form and not sent
    mutationFn: ({ current_password, new_password }: Passwords) =>
      client.PUT('/api/users/me/password', { body: { current_password, new_password } }),
    onSuccess: () => {
      form.reset(EMPTY)
      void queries.invalidateQueries({ queryKey: OWN_SESSIONS })
      notify.success(t('password.saved'))
    },
  })
  useServerErrors(form, change.error)
  const atFields = change.error instanceof ApiError && Object.keys(change.error.fields).length > 0
  const fieldProps = { control: form.control }

  return (
    <Card title={t('password.title')} intro={t('password.intro')}>
      <Stack component="form" noValidate spacing={2.5} onSubmit={form.handleSubmit((passwords) => change.mutate(passwords))}>
        {change.error && !atFields && <Notice tone="error">{errorText(change.error)}</Notice>}
        <div>
          {/* for password managers, which store the password with it */}
          <input hidden readOnly type="email" autoComplete="username" value={me.email} />
          <Field {...fieldProps} name="current_password" label={t('fields.current_password')} autoComplete="current-password" />
        </div>
        <div>
          <Field
            {...fieldProps}
            name="new_password"
            label={t('fields.new_password')}
            autoComplete="new-password"
            help={t('auth:verification.rules')}
            refusal={strength && !strength.enough ? t('password.weak') : null}
            onChange={() => {
              if (form.getFieldState('confirm_password').isTouched) void form.trigger('confirm_password')
            }}
          />
          {newPassword !== '' && <PasswordStrength password={newPassword} strength={strength} />}
        </div>
        <Field {...fieldProps} name="confirm_password" label={t('fields.confirm_password')} autoComplete="new-password" />
        <div>
          <Button type="submit" variant="contained" loading={change.isPending} disabled={!isValid || strength?.enough === false}>
            {t('password.submit')}
          </Button>
        </div>
      </Stack>
    </Card>
  )
}

interface FieldProps {
  control: Control<Passwords>
  name: keyof Passwords
  label: string
  autoComplete: 'current-password' | 'new-password'
  help?: string
  /** Further error, shown once the field has been left. */
  refusal?: string | null
  onChange?: () => void
}

function Field({ control, name, label, autoComplete, help, refusal = null, onChange }: FieldProps) {
  const { field, fieldState } = useController({ control, name })
  const error = useFieldError(fieldState.error) ?? (fieldState.isTouched ? refusal : null)
  return (
    <PasswordInput
      label={label}
      name={name}
      inputRef={field.ref}
      autoComplete={autoComplete}
      value={field.value}
      onChange={(value) => {
        field.onChange(value)
        onChange?.()
      }}
      onBlur={field.onBlur}
      error={error}
      {...(help !== undefined && { help })}
    />
  )
}
