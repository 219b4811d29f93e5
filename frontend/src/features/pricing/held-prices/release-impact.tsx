import type { HeldPriceChange } from '~/api/schema'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import ImpactDialog from '~/features/shared/price-impact/impact-dialog'
import { bulkParams, type QuestionViewProps } from '~/kit/records/selection/bulk'
import { base } from './base'

/** Impact of releasing many prices, shown before the release. Errors are left to the release itself. */
export default function ReleaseImpact({ state, selection, change, onAnswer }: QuestionViewProps) {
  const { query } = bulkParams(base.spec, state, selection)
  const request = impactOf.heldPrices(query, { selection, change: change as HeldPriceChange })
  return <ImpactDialog changeKind="release" name="" request={request} onAnswer={onAnswer} onRefused={() => onAnswer(true)} />
}
