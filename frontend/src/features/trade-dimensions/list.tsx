import { RulerDimensionLine } from 'lucide-react'
import type { TradeDimension } from '~/api/schema'
import { columns } from '~/kit/list/columns'
import { ResourceList } from '~/kit/list/resource-list'
import { tradeDimensionList, tradeDimensions } from './api'

const col = columns<TradeDimension>('tradeDimensions')
const COLUMNS = [
  col.text('name'),
  col.custom('clusters', (row) => row.clusters.map((cluster) => cluster.short_code).join(' · '), { sort: '' }),
  col.instant('updated_at', { card: false }),
]

export default function TradeDimensionList() {
  return (
    <ResourceList
      ns="tradeDimensions"
      area="trade_dimension"
      record="trade_dimension"
      platform
      api={tradeDimensions}
      spec={tradeDimensionList}
      columns={COLUMNS}
      icon={RulerDimensionLine}
      rowName={(row) => row.name}
    />
  )
}
