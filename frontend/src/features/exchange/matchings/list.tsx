import type { Matching } from '~/api/schema'
import { ImportButton } from '~/features/shared/import-button'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { matchings } from './api'
import { matching } from './resource'

const col = columns<Matching>('matchings')
const COLUMNS = [
  col.custom('external_article_number', matching.title),
  col.custom('article_id', (row) => row.article?.article_number),
  col.text('external_warehouse_identifier'),
  col.custom('warehouse_id', (row) => row.warehouse?.short_code),
  col.text('external_tenant_identifier'),
  col.instant('updated_at', { card: false }),
]

export default function MatchingList() {
  return (
    <ResourceList of={matching} api={matchings} columns={COLUMNS} rowName={matching.title} importer={<ImportButton type="Matching" />} />
  )
}
