import Box from '@mui/material/Box'
import FormLabel from '@mui/material/FormLabel'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Quote } from '~/api/schema'
import { sampleCartRef } from '~/features/pricing/sample-carts/ref'
import { useEuro } from '~/features/shared/money/use-euro'
import { RefPicker } from '~/kit/form/ref-picker'
import { useErrorText } from '~/kit/ui/error-text'
import { Notice } from '~/kit/ui/notice'
import { type Chain, cartByChain } from './subtotals'

interface Props {
  cart: number | null
  onChoose: (cart: number | null) => void
  /** Chain as saved. */
  chain: Chain
  /** True if the shown order is not saved yet. */
  isOrderUnsaved: boolean
}

/** Field for the sample cart whose running subtotal is shown at each adjustment. */
export default function CartChoice({ cart, onChoose, chain, isOrderUnsaved }: Props) {
  const { t } = useTranslation('priceAdjustments')
  const id = useId()
  const text = useErrorText()
  const { data, error } = useQuery({ ...cartByChain(cart ?? 0, chain), enabled: cart !== null })
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1.5, rowGap: 0.75 }}>
      <FormLabel htmlFor={id} sx={{ mb: 0 }}>
        {t('subtotals.of')}
      </FormLabel>
      <Box sx={{ width: { xs: '100%', sm: 300 } }}>
        <RefPicker id={id} source={sampleCartRef} value={cart} onChange={onChoose} placeholder={t('subtotals.none')} />
      </Box>
      <Typography variant="body2" color="textSecondary" role="status">
        {cart === null ? null : isOrderUnsaved ? t('subtotals.unsaved') : data && <QuoteTotals quote={data.quote} />}
      </Typography>
      {error && cart !== null && <Notice tone="error">{text(error)}</Notice>}
    </Box>
  )
}

/** Base price and total of the cart, and the number of its lines that could not be quoted. */
function QuoteTotals({ quote }: { quote: Quote }) {
  const { t } = useTranslation('priceAdjustments')
  const euro = useEuro()
  const refused = quote.lines.filter(({ errors }) => errors.length > 0).length
  return (
    <>
      {t('subtotals.ends', { base: euro(quote.base), total: euro(quote.total) })}
      {refused > 0 && ` ${t('subtotals.refused', { count: refused })}`}
    </>
  )
}
