import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { Calculator } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '~/api/errors'
import type { PriceAdjustment, PriceImpact } from '~/api/schema'
import { type ImpactRequest, impactOf } from '~/features/shared/price-impact/impact-calls'
import { ImpactLine, useImpact, useMaySeeImpact } from '~/features/shared/price-impact/use-impact'
import { ReorderStatus } from '~/kit/form/reorder-status'
import { type PendingOrder, type Reordering, useReorder } from '~/kit/form/use-reorder'
import { useErrorText } from '~/kit/ui/error-text'
import { notify } from '~/kit/ui/snackbar'
import { priceAdjustments } from './api'

/**
 * Order of the chain, which is saved automatically; an order that another user has saved meanwhile is not
 * overwritten.
 */
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

/** Debounce in milliseconds, for several moves in a row. */
const DEBOUNCE_MS = 300

/** Impact of an order: one request for all callers, skipped if all of them have aborted. */
function impactOfOrder(order: PendingOrder): ImpactRequest {
  const request = impactOf.adjustment({ order: { ids: order.ids, seen: order.previousIds } })
  const signals: AbortSignal[] = []
  let pending: Promise<PriceImpact> | null = null
  return (signal) => {
    signals.push(signal)
    pending ??= new Promise((resolve) => setTimeout(resolve, DEBOUNCE_MS))
      .then(() => {
        if (signals.every(({ aborted }) => aborted)) throw signal.reason
        return request(new AbortController().signal)
      })
      .catch((error: unknown) => {
        pending = null
        throw error
      })
    return pending
  }
}

interface Props {
  order: Reordering<PriceAdjustment>
  mayEdit: boolean
  /** True if the whole chain is shown in its order. */
  chain: boolean
}

/** Instructions for reordering the chain, and the state of the current order. */
export function OrderStatus({ order: { ordered, move: _, pendingOrder, stopTimer, save, ...status }, mayEdit, chain }: Props) {
  const { t } = useTranslation('priceAdjustments')
  const seesImpact = useMaySeeImpact('price_adjustment')
  const [confirmImpact, dialog] = useImpact()
  const impact = useMemo(
    () => (seesImpact && pendingOrder ? { key: pendingOrder.ids.join(), request: impactOfOrder(pendingOrder) } : null),
    [seesImpact, pendingOrder],
  )

  /** Pauses automatic saving until the user has decided. */
  async function show(request: ImpactRequest) {
    stopTimer()
    try {
      if (await confirmImpact({ changeKind: 'order', name: '', request })) await save()
      else status.cancel()
    } catch {
      // errors of the order are reported by the save
      await save()
    }
  }

  if (!mayEdit || (chain && ordered.length < 2)) return null
  return (
    <Box role="status" sx={{ minHeight: { xs: 64, sm: 36 }, display: 'flex', flexDirection: 'column', justifyContent: 'center' }}>
      {status.phase === 'clean' ? (
        <Typography variant="body2" color="textSecondary" sx={{ textWrap: 'pretty' }}>
          {t(chain ? 'order.hint' : 'order.elsewhere')}
        </Typography>
      ) : (
        <ReorderStatus
          ids={ordered.map(({ id }) => id)}
          description={impact && <ImpactLine key={impact.key} request={impact.request} />}
          tool={
            impact && (
              <Button
                size="small"
                variant="outlined"
                startIcon={<Calculator size={16} aria-hidden />}
                onClick={() => void show(impact.request)}
              >
                {t('order.impact')}
              </Button>
            )
          }
          {...status}
        />
      )}
      {dialog}
    </Box>
  )
}
