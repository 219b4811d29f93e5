import type { Material } from '~/api/schema'
import { columns } from '~/kit/list/columns'
import { ResourceList } from '~/kit/list/resource-list'
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
  return <ResourceList of={material} api={materials} columns={COLUMNS} />
}
