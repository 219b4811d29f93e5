import type { TradeDimension } from '~/api/schema'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { tradeDimensions } from './api'
import { tradeDimension } from './resource'

const col = columns<TradeDimension>('tradeDimensions')
const COLUMNS = [
  col.text('name'),
  col.custom('clusters', (row) => row.clusters.map((cluster) => cluster.short_code).join(' · '), { sort: '' }),
  col.instant('updated_at', { card: false }),
]

export default function TradeDimensionList() {
  return <ResourceList resource={tradeDimension} api={tradeDimensions} columns={COLUMNS} />
}
