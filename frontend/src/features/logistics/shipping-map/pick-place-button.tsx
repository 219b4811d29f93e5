import Button from '@mui/material/Button'
import { MapPin } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import type { PickPlaceProps } from './pick-place'

const PickPlaceDialog = lazyWithTexts(() => import('./pick-place-dialog'))

/** Button that opens a map for selecting a place. */
export default function PickPlaceButton({ value, onPick }: PickPlaceProps) {
  const { t } = useTranslation('shippingMap')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button startIcon={<MapPin size={18} aria-hidden />} onClick={() => setOpen(true)}>
        {t('pick.open')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <PickPlaceDialog value={value} onPick={onPick} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
