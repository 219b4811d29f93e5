import type { AskImpact } from './impact-calls'
import { Outcome } from './outcome'
import { useAsked } from './use-asked'

/** The impact of something that is asked elsewhere. */
export default function ImpactDetail({ ask }: { ask: AskImpact }) {
  return <Outcome of={useAsked(ask)} />
}
