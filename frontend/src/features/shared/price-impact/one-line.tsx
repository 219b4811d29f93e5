import type { AskImpact } from './impact-calls'
import { useImpactText } from './summary'
import { useAsked } from './use-asked'

/** Impact on prices as a sentence that follows another one; renders nothing until it is known. */
export default function OneLine({ ask }: { ask: AskImpact }) {
  const { data } = useAsked(ask)
  const impactText = useImpactText()
  return data && ` \u00b7 ${impactText(data)}`
}
