import type { Material } from '~/api/schema'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { materials } from './api'
import { material } from './resource'

const col = columns<Material>('materials')
const COLUMNS = [
  col.text('name'),
  col.text('material_number'),
  col.text('display_name', { card: false }),
  col.text('article_number_name', { card: false }),
  col.decimal('density', { fraction: 3 }),
  col.instant('updated_at', { card: false }),
]

export default function MaterialList() {
  return <ResourceList resource={material} api={materials} columns={COLUMNS} />
}
