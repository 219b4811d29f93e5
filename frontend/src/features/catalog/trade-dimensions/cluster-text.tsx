import type { ListEntryOptions } from '~/kit/form/form-context'
import { sortedRanges } from './length-ranges'
import type { ClusterForm, TradeDimensionForm } from './schema'
import { useRangeText } from './use-range-text'

/**
 * Comparison of the clusters of two versions, as a whole: clusters of one version need not fit together with
 * those of the other.
 */
export const clusterEntries: ListEntryOptions<TradeDimensionForm['clusters'][number]> = {
  text: (cluster) => <ClusterText cluster={cluster} />,
}

function ClusterText({ cluster }: { cluster: ClusterForm }) {
  const rangeText = useRangeText()
  const [range] = sortedRanges([cluster])
  return range ? rangeText(range) : cluster.short_code
}
