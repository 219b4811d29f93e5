import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useTranslation } from 'react-i18next'
import { isApiError } from '~/api/errors'
import type { PriceAdjustment } from '~/api/schema'
import { useErrorText } from '~/kit/feedback/error-text'
import { notify } from '~/kit/feedback/snackbar'
import { ReorderStatus } from '~/kit/reorder/reorder-status'
import { type Reordering, useReorder } from '~/kit/reorder/use-reorder'
import { priceAdjustments } from './api'

/** The order of the chain, which saves itself; one that somebody else has made meanwhile is not lost. */
export function useOrder(items: readonly PriceAdjustment[]): Reordering<PriceAdjustment> {
  const { t } = useTranslation('reorder')
  const text = useErrorText()
  const failed = (error: unknown) => notify.error(t('failed', { reason: text(error) }))
  return useReorder({
    items,
    id: (row) => row.id,
    save: priceAdjustments.order,
    onError: failed,
    onSavedLate: (back) => notify.undoable(t('saved'), () => back().then(() => {}, failed)),
    isConflict: (error) => isApiError(error, 'order_changed'),
  })
}

interface Props {
  order: Reordering<PriceAdjustment>
  may: boolean
  /** The whole chain is shown in its order. */
  chain: boolean
}

/** How the chain is put into another order, and where that stands. */
export function OrderStatus({ order: { ordered, move: _, ...status }, may, chain }: Props) {
  const { t } = useTranslation('priceAdjustments')
  if (!may || (chain && ordered.length < 2)) return null
  return (
    <Box role="status" sx={{ minHeight: 36, display: 'flex', flexDirection: 'column', justifyContent: 'center' }}>
      {status.phase === 'clean' ? (
        <Typography variant="body2" color="textSecondary" sx={{ textWrap: 'pretty' }}>
          {t(chain ? 'order.hint' : 'order.elsewhere')}
        </Typography>
      ) : (
        <ReorderStatus ids={ordered.map(({ id }) => id)} {...status} />
      )}
    </Box>
  )
}
