import type { ImpactRequest } from './impact-calls'
import { ImpactResult } from './impact-result'
import { useImpactQuery } from './use-impact-query'

/** Impact as part of another confirmation. */
export default function ImpactDetail({ request }: { request: ImpactRequest }) {
  return <ImpactResult query={useImpactQuery(request)} />
}
