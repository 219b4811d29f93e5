import type { SurchargeTable } from '~/api/schema'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { surchargeTables } from './api'
import { MissingChip } from './missing-chip'
import { surchargeTable } from './resource'

const col = columns<SurchargeTable>('surchargeTables')
const COLUMNS = [
  col.text('name'),
  col.enum('kind'),
  col.enum('keyed_by'),
  col.custom('base_table', (row) => row.base_table?.name ?? ''),
  col.custom('missing', (row) => <MissingChip row={row} />),
  col.text('last_month', { optional: true }),
  col.instant('updated_at', { card: false }),
]

export default function SurchargeTableList() {
  return <ResourceList resource={surchargeTable} api={surchargeTables} columns={COLUMNS} tab="values" />
}
