import type { Entries } from '~/kit/form/form-context'
import { upward } from './ladder'
import type { ClusterForm, TradeDimensionForm } from './schema'
import { useRangeText } from './use-range-text'

/** The clusters of two versions of a ladder, as a whole: what fits each other in one need not fit what is in the other. */
export const clusterEntries: Entries<TradeDimensionForm['clusters'][number]> = {
  text: (cluster) => <ClusterText cluster={cluster} />,
}

function ClusterText({ cluster }: { cluster: ClusterForm }) {
  const rangeText = useRangeText()
  const [range] = upward([cluster])
  return range ? rangeText(range) : cluster.short_code
}
