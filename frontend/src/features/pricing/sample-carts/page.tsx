import Button from '@mui/material/Button'
import { BadgeCheck, Calculator } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { SampleCart } from '~/api/schema'
import { useOpenCart } from '~/features/pricing/price-calculator/ref'
import { RecordPage } from '~/kit/records/record-page'
import { sampleCarts } from './api'
import { sampleCart } from './resource'
import { CartState } from './state-chip'
import { isAcceptable, useAcceptTotal } from './use-accept'

function State({ row }: { row: SampleCart }) {
  const { t } = useTranslation('sampleCarts')
  const accept = useAcceptTotal()
  const open = useOpenCart()
  return (
    <>
      <CartState state={row.state} />
      {open && (
        <Button size="small" component={Link} to={open(row)} startIcon={<Calculator size={16} aria-hidden />}>
          {t('actions.open')}
        </Button>
      )}
      {accept && isAcceptable(row) && (
        <Button size="small" startIcon={<BadgeCheck size={16} aria-hidden />} onClick={() => void accept(row)}>
          {t('accept.action')}
        </Button>
      )}
    </>
  )
}

export default function SampleCartPage() {
  return <RecordPage resource={sampleCart} api={sampleCarts} state={(row) => <State row={row} />} />
}
