import Button, { type ButtonProps } from '@mui/material/Button'
import { Mail } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'

const DemoMails = lazyWithTexts(() => import('./demo-mails'), 'demoMails')

/** Button shown only in a demo: opens the mails that its users would receive. */
export default function DemoMailsButton({ variant = 'outlined' }: { variant?: ButtonProps['variant'] }) {
  const { t } = useTranslation('auth')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant={variant} size="large" fullWidth startIcon={<Mail size={18} />} onClick={() => setOpen(true)}>
        {t('demoMails')}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <DemoMails onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
