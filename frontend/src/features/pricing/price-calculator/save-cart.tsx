import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { Save, ShoppingCart } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Quote, SampleCartInput } from '~/api/schema'
import { sampleCart } from '~/features/pricing/sample-carts/resource'
import { useAllowedOperations } from '~/kit/records/resources'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { useAddressParams } from '~/lib/address-params'
import { useConfig } from '~/session/config'
import { CART_PARAM } from './ref'

const SaveDialog = lazyWithTexts(() => import('./save-dialog'), 'sampleCarts')

/** Parts of a cart that are saved in a sample cart, without its name. */
export type SampleCartContent = Pick<SampleCartInput, 'buyer_id' | 'at' | 'lines'>

interface Props {
  quote: Quote
  /** Returns the current cart, or shows what is missing and returns null. */
  cart: () => Promise<SampleCartContent | null>
}

/** Saves the cart as a new sample cart, or updates the one that it was opened from. */
export function SaveCart({ quote, cart }: Props) {
  const { t } = useTranslation('priceCalculator')
  const { flags } = useConfig()
  const may = useAllowedOperations(sampleCart)
  const sampleCartId = Number(useAddressParams()[0].get(CART_PARAM)) || null
  const [saving, setSaving] = useState<{ content: SampleCartContent; id: number | null } | null>(null)
  if (!flags[sampleCart.flag]) return null

  async function openDialog(id: number | null) {
    const content = await cart()
    if (content) setSaving({ content, id })
  }

  const isComplete = quote.lines.every(({ errors }) => errors.length === 0)
  return (
    <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', justifyContent: 'flex-end', gap: 1 }}>
      {may.update && sampleCartId !== null && (
        <Button variant="outlined" startIcon={<Save size={16} aria-hidden />} onClick={() => void openDialog(sampleCartId)}>
          {t('save.change')}
        </Button>
      )}
      {may.create && (
        <Button variant="outlined" startIcon={<ShoppingCart size={16} aria-hidden />} onClick={() => void openDialog(null)}>
          {t('save.new')}
        </Button>
      )}
      {saving && (
        <Suspense fallback={null}>
          <SaveDialog {...saving} total={isComplete ? quote.total : ''} onClose={() => setSaving(null)} />
        </Suspense>
      )}
    </Stack>
  )
}
