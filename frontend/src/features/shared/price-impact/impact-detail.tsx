import type { AskImpact } from './impact-calls'
import { ImpactResult } from './impact-result'
import { useAsked } from './use-asked'

/** Impact as part of another confirmation. */
export default function ImpactDetail({ ask }: { ask: AskImpact }) {
  return <ImpactResult of={useAsked(ask)} />
}
