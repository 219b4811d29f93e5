import type { Processing } from '~/api/schema'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { processings } from './api'
import { processing } from './resource'

const col = columns<Processing>('processings')
const COLUMNS = [
  col.text('name'),
  col.text('display_name'),
  col.enum('type'),
  col.text('article_number_addition_template'),
  col.instant('updated_at', { card: false }),
]

export default function ProcessingList() {
  return <ResourceList resource={processing} api={processings} columns={COLUMNS} />
}
