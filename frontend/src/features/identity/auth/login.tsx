import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useDocumentTitle } from '~/kit/ui/document-title'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { Notice } from '~/kit/ui/notice'
import { useConfig } from '~/session/config'
import { clearCachedData } from '~/session/connect'
import { prefetchMe } from '~/session/me'
import { session } from '~/session/session'
import { LoginForm } from './login-form'

const DemoAccounts = lazyWithTexts(() => import('./demo-accounts'))
const DemoMailsButton = lazyWithTexts(() => import('./demo-mails-button'))

export default function Login() {
  const { t } = useTranslation('auth')
  const { demo } = useConfig()
  const { state } = useLocation() as { state: { timedOut?: boolean; email?: string } | null }
  const [value, setValue] = useState({ email: state?.email ?? '', password: '' })
  // after an attempt to sign in, the reason for it has been read
  const [submitted, setSubmitted] = useState(false)
  useDocumentTitle(t('title'))

  function signedIn(token: string) {
    clearCachedData()
    session.signIn(token)
    prefetchMe()
  }

  return (
    <Stack spacing={3} onSubmitCapture={() => setSubmitted(true)}>
      <div>
        <Typography variant="h1">{t('title')}</Typography>
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
          {t('intro')}
        </Typography>
      </div>
      {state?.timedOut && !submitted && <Notice tone="info">{t('timedOut')}</Notice>}
      <LoginForm {...value} onChange={setValue} onToken={signedIn} />
      <Button component={Link} to="/forgot-password" state={value.email ? { email: value.email } : null} sx={{ alignSelf: 'center' }}>
        {t('forgot')}
      </Button>
      {demo && (
        <Suspense fallback={null}>
          <DemoAccounts onPick={setValue} />
          <DemoMailsButton />
        </Suspense>
      )}
    </Stack>
  )
}
