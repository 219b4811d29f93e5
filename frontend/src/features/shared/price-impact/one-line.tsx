import type { AskImpact } from './impact-calls'
import { useTold } from './summary'
import { useAsked } from './use-asked'

/** What something does to prices, in a sentence behind another one; nothing as long as that is not known. */
export default function OneLine({ ask }: { ask: AskImpact }) {
  const { data } = useAsked(ask)
  const told = useTold()
  return data && ` \u00b7 ${told(data)}`
}
