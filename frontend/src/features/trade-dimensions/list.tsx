import type { TradeDimension } from '~/api/schema'
import { columns } from '~/kit/list/columns'
import { ResourceList } from '~/kit/list/resource-list'
import { tradeDimensions } from './api'
import { tradeDimension } from './resource'

const col = columns<TradeDimension>('tradeDimensions')
const COLUMNS = [
  col.text('name'),
  col.custom('clusters', (row) => row.clusters.map((cluster) => cluster.short_code).join(' · '), { sort: '' }),
  col.instant('updated_at', { card: false }),
]

export default function TradeDimensionList() {
  return <ResourceList of={tradeDimension} api={tradeDimensions} columns={COLUMNS} />
}
