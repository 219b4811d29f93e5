import Alert from '@mui/material/Alert'
import AlertTitle from '@mui/material/AlertTitle'
import Stack from '@mui/material/Stack'
import { useTranslation } from 'react-i18next'
import { ApiError } from '~/api/errors'
import { useErrorText } from './error-text'

interface Props {
  error: unknown
  /** Heading that names the failed action, if nothing was entered. */
  title?: string
}

/** Shows each text of the server's `errors` as an alert, or else its message as one. */
export function FormErrors({ error, title }: Props) {
  const { t } = useTranslation()
  const text = useErrorText()
  // an expired session is handled by the sign-in dialog above the form, and is over when that closes
  if (!error || (error instanceof ApiError && error.code === 'unauthenticated')) return null
  const fields = error instanceof ApiError ? Object.values(error.fields).flat() : []
  const texts = fields.length > 0 ? [...new Set(fields)] : [text(error)]
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : null
  return (
    <Stack spacing={1} role="alert">
      {texts.map((message) => (
        <Alert key={message} severity="error" role="presentation">
          <AlertTitle>{title ?? t('errors.formError')}</AlertTitle>
          {message}
          {requestId && <div>{t('errors.requestId', { id: requestId })}</div>}
        </Alert>
      ))}
    </Stack>
  )
}
