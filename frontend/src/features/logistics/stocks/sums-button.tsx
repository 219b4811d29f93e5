import Button from '@mui/material/Button'
import { Sigma } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useListState } from '~/kit/table/use-list-state'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { stocks } from './api'

const SumsDialog = lazyWithTexts(() => import('./sums-dialog'))

/** Button that opens the sums of the stocks that match the list's filters. */
export function SumsButton() {
  const { t } = useTranslation('stocks')
  const { state } = useListState('stocks', stocks.spec)
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="outlined" startIcon={<Sigma size={16} aria-hidden />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('sums.open')}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <SumsDialog state={state} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
