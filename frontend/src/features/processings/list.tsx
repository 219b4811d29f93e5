import { Scissors } from 'lucide-react'
import type { Processing } from '~/api/schema'
import { columns } from '~/kit/list/columns'
import { ResourceList } from '~/kit/list/resource-list'
import { processingList, processings } from './api'

const col = columns<Processing>('processings')
const COLUMNS = [
  col.text('name'),
  col.text('display_name'),
  col.enum('type'),
  col.text('article_number_addition_template'),
  col.instant('updated_at', { card: false }),
]

export default function ProcessingList() {
  return (
    <ResourceList
      ns="processings"
      area="processing"
      record="processing"
      platform
      api={processings}
      spec={processingList}
      columns={COLUMNS}
      icon={Scissors}
      rowName={(row) => row.name}
    />
  )
}
