import type { Matching } from '~/api/schema'
import { ImportButton } from '~/features/shared/import-button'
import { useLabels } from '~/i18n/labels'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { matchings } from './api'
import { matching } from './resource'

/** Kind of record that the external identifier names, as a value of the filter. */
const kindOf = (row: Matching) =>
  row.external_article_number !== null ? 'article_id' : row.external_warehouse_identifier !== null ? 'warehouse_id' : 'tenant_id'

function KindCell({ row }: { row: Matching }) {
  return useLabels('matchings').field(kindOf(row))
}

const col = columns<Matching>('matchings')
const COLUMNS = [
  col.custom('identifier', matching.title, { sort: 'external_article_number' }),
  col.custom('kind', (row) => <KindCell row={row} />),
  col.custom('article_id', (row) => row.article?.article_number, { noWrap: true }),
  col.text('external_warehouse_identifier'),
  col.custom('warehouse_id', (row) => row.warehouse?.short_code),
  col.text('external_tenant_identifier'),
  col.instant('updated_at', { card: false }),
]

export default function MatchingList() {
  return (
    <ResourceList
      resource={matching}
      api={matchings}
      columns={COLUMNS}
      rowName={matching.title}
      importer={<ImportButton type="Matching" />}
    />
  )
}
