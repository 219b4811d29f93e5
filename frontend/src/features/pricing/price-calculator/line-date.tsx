import Box from '@mui/material/Box'
import { useTranslation } from 'react-i18next'
import type { EarliestDelivery } from '~/api/schema'
import { useExplainedDate } from '~/features/logistics/delivery-date/ref'
import { EarliestDate } from '~/features/shared/destination/earliest-date'
import { useDestination } from '~/features/shared/destination/use-destination'
import type { CartForm, LineForm } from './cart'

interface Props {
  date: EarliestDelivery
  line: LineForm
  cart: Pick<CartForm, 'side' | 'seller_id' | 'day' | 'time'>
}

/** Delivery date of a line of the cart, with a link to the reasons. */
export default function LineDate({ date: { earliest }, line, cart }: Props) {
  const { t } = useTranslation('destination')
  const explain = useExplainedDate()
  const [to_node_id] = useDestination()
  if (earliest === null) return null
  const { article_id, quantity, unit, warehouse_id, warehouse_short_code } = line
  const order = {
    origin: 'article',
    article_id,
    quantity,
    unit,
    warehouse_id,
    warehouse_short_code,
    seller_id: cart.side === 'buys' ? cart.seller_id : null,
    to_node_id,
    day: cart.day,
    time: cart.time,
  } as const
  return (
    <Box component="span" sx={{ typography: 'body2' }}>
      {t('column')}: <EarliestDate earliest={earliest} to={explain?.(order) ?? null} isExact />
    </Box>
  )
}
