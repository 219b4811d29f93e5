import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { $api } from '~/api/client'
import { isApiError } from '~/api/errors'
import { LoadFailed } from '~/kit/feedback/load-failed'
import { useDocumentTitle } from '~/kit/shell/document-title'
import { NewPasswordForm } from './new-password-form'

const HOUR = 3_600_000

/** Where an invitation leads: says whose it is, sets the first password, and goes on to sign-in. */
export default function Verification() {
  const [params] = useSearchParams()
  const token = params.get('token') ?? ''
  const { t } = useTranslation('auth')
  const [accepted, setAccepted] = useState(false)
  const [refused, setRefused] = useState(false)
  const { data, error, isFetching, refetch } = useQuery(
    $api.queryOptions('get', '/api/verification/{token}', { params: { path: { token } } }, { enabled: token !== '', staleTime: HOUR }),
  )
  useDocumentTitle(t('verification.title'))

  if (token === '' || refused || isApiError(error, 'invalid_link')) return <InvalidLink />
  if (error) return <LoadFailed page error={error} retry={() => void refetch()} pending={isFetching} />
  if (!data) return <Loading />
  if (accepted) {
    return (
      <Outcome title={t('verification.doneTitle')} email={data.email}>
        {t('verification.doneBody', { email: data.email })}
      </Outcome>
    )
  }
  return (
    <Stack spacing={3}>
      <Heading title={t('verification.welcome', { name: data.name })}>{t('verification.intro')}</Heading>
      <NewPasswordForm token={token} email={data.email} onDone={() => setAccepted(true)} onInvalid={() => setRefused(true)} />
    </Stack>
  )
}

function Heading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div>
      <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </Typography>
      <Typography variant="body2" color="textSecondary" component="div" sx={{ mt: 0.5, overflowWrap: 'anywhere' }}>
        {children}
      </Typography>
    </div>
  )
}

/** The end of the page, one way or the other; sign-in is what comes next. */
function Outcome({ title, email, children }: { title: string; email?: string; children: ReactNode }) {
  const { t } = useTranslation('auth')
  return (
    <Stack spacing={3} role="status">
      <Heading title={title}>{children}</Heading>
      <Button component={Link} to="/login" state={email ? { email } : null} variant="contained" size="large" fullWidth>
        {t('verification.toSignIn')}
      </Button>
    </Stack>
  )
}

function InvalidLink() {
  const { t } = useTranslation('auth')
  return (
    <Outcome title={t('verification.invalidTitle')}>
      <Stack component="span" spacing={1}>
        <span>{t('verification.invalidBody')}</span>
        <span>{t('verification.invalidUsed')}</span>
        <span>{t('verification.invalidExpired')}</span>
      </Stack>
    </Outcome>
  )
}

function Loading() {
  return (
    <Stack spacing={2} aria-busy>
      <Skeleton width="70%" height={32} />
      <Skeleton width="90%" />
      <Skeleton variant="rounded" height={40} />
      <Skeleton variant="rounded" height={40} />
    </Stack>
  )
}
