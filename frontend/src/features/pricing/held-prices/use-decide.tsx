import { useTranslation } from 'react-i18next'
import type { BulkOutcome, HeldPrice, HeldPriceDecision } from '~/api/schema'
import { Impact } from '~/features/shared/price-impact/use-impact'
import { useConfirm } from '~/kit/ui/confirm'
import { focusRefreshedList } from '~/kit/ui/focus-list'
import { notify } from '~/kit/ui/snackbar'
import { heldPrices } from './api'
import { OtherPrices, PriceLines } from './price-lines'

/**
 * Returns a function that asks for confirmation, decides about the prices of one stock, and reports the
 * result.
 */
export function useDecide(): (row: HeldPrice, decision: HeldPriceDecision) => Promise<void> {
  const { t } = useTranslation('heldPrices')
  const confirm = useConfirm()
  return async (row, decision) => {
    const { stock, current, wanted, mended } = row
    const request = heldPrices.impact(row.id, decision)
    let outcome: BulkOutcome | null = null as BulkOutcome | null
    await confirm({
      title: t(`decide.${decision}.title`, { stock }),
      body: t(`decide.${decision}.body`),
      detail: (
        <>
          <PriceLines before={current} after={decision === 'release_mended' && mended ? mended : wanted} />
          <OtherPrices row={row} />
          {request && <Impact request={request} />}
        </>
      ),
      wide: request !== null,
      action: t(`decide.${decision}.action`),
      harmless: decision !== 'refuse',
      run: async () => {
        outcome = await heldPrices.decide(row.id, decision)
      },
    })
    if (!outcome) return
    const [refused] = outcome.refused
    if (refused) notify.error(refused.messages.join(' '))
    else notify.success(t(`decide.${decision}.done`, { stock }))
    await focusRefreshedList()
  }
}
