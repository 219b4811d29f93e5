import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { priceAdjustments } from './api'

const FindingsDialog = lazyWithTexts(() => import('./findings-dialog'))

/** Button with the number of findings that opens their list. */
export function FindingsButton() {
  const { t } = useTranslation('priceAdjustments')
  const { decimal } = useFormat()
  const [open, setOpen] = useState(false)
  const { data, error } = useQuery(priceAdjustments.findings())
  const count = data?.data.length
  const summary =
    count === undefined
      ? t(error ? 'findings.failed' : 'findings.check')
      : count === 0
        ? t('findings.nothing')
        : t('findings.open', { count, number: decimal(count) })
  return (
    <>
      <Button
        variant="outlined"
        color={count ? 'warning' : 'primary'}
        startIcon={<ListChecks size={18} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        // wide enough for the final text: on a phone the page would move when it arrives
        sx={{ minWidth: 190 }}
      >
        {summary}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <FindingsDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
