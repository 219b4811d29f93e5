import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useDocumentTitle } from '~/kit/ui/document-title'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { useConfig } from '~/session/config'
import { FinalMessage } from './card'

const DemoMailsButton = lazyWithTexts(() => import('./demo-mails-button'))

/** Page that says that a mail is on its way, if an account has this address. */
export default function CheckMail() {
  const { t } = useTranslation('passwordReset')
  const { demo } = useConfig()
  const { state } = useLocation() as { state: { email?: string } | null }
  const email = state?.email
  useDocumentTitle(t('sent.title'))
  return (
    <FinalMessage
      title={t('sent.title')}
      {...(email && { email })}
      actions={
        <>
          {demo && (
            <Suspense fallback={null}>
              <DemoMailsButton variant="contained" />
            </Suspense>
          )}
          <Button component={Link} to="/forgot-password" state={state} variant="outlined" size="large" fullWidth>
            {t('sent.again')}
          </Button>
        </>
      }
    >
      {email ? t('sent.body', { email }) : t('sent.bodyAnonymous')}
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1.5 }}>
        {t('sent.missing')}
      </Typography>
    </FinalMessage>
  )
}
