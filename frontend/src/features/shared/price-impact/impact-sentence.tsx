import type { ImpactRequest } from './impact-calls'
import { useImpactText } from './summary'
import { useImpactQuery } from './use-impact-query'

/** Impact on prices as a sentence that follows another one; renders nothing until it is known. */
export default function ImpactSentence({ request }: { request: ImpactRequest }) {
  const { data } = useImpactQuery(request)
  const impactText = useImpactText()
  return data && ` \u00b7 ${impactText(data)}`
}
