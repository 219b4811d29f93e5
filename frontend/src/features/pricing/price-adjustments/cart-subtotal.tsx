import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useEuro } from '~/features/shared/money/use-euro'
import { type Chain, cartByChain, type NotApplied } from './subtotals'

/**
 * Subtotal of a sample cart after an adjustment with the change that it made, or the reason why it made
 * none.
 */
export default function CartSubtotal({ cart, chain, id }: { cart: number; chain: Chain; id: number }) {
  const euro = useEuro()
  const reasonText = useReason()
  const { data, isPending } = useQuery(cartByChain(cart, chain))
  const subtotal = data?.subtotals.get(id)
  if (!subtotal) return isPending ? '\u2026' : null
  return (
    <>
      <Box
        component="span"
        sx={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums', color: subtotal.reason === null ? 'inherit' : 'text.secondary' }}
      >
        {euro(subtotal.total)}
      </Box>
      <Box component="span" sx={{ display: 'block', typography: 'caption', color: 'text.secondary' }}>
        {subtotal.reason === null ? euro(subtotal.amount, { signed: true }) : reasonText(subtotal.reason)}
      </Box>
    </>
  )
}

function useReason(): (reason: NotApplied) => string {
  const { t } = useTranslation(['priceAdjustments', 'whyPrice'])
  return (reason) => {
    switch (reason) {
      case 'no_weight':
      case 'once_per_line':
        return t(`whyPrice:leftOut.step.${reason}`)
      case 'conditions':
      case 'no_table_value':
      case 'not_this_item':
        return t(`subtotals.reasons.${reason}`)
      default:
        return t(`whyPrice:leftOut.adjustment.${reason}`)
    }
  }
}
