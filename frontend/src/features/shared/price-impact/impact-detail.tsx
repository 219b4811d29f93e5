import type { AskImpact } from './impact-calls'
import { Outcome } from './outcome'
import { useAsked } from './use-asked'

/** Impact as part of another confirmation. */
export default function ImpactDetail({ ask }: { ask: AskImpact }) {
  return <Outcome of={useAsked(ask)} />
}
