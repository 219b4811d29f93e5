import type { PriceList } from '~/api/schema'
import { RecordPage } from '~/kit/records/record-page'
import { deletable, priceLists } from './api'
import { PageActions } from './page-actions'
import { priceList } from './resource'
import { PriceListStatus } from './status-chip'
import { useDeletionImpact } from './use-deletion-impact'

function State({ row }: { row: PriceList }) {
  return (
    <>
      <PriceListStatus row={row} />
      <PageActions row={row} />
    </>
  )
}

export default function PriceListPage() {
  const deletes = useDeletionImpact()
  return (
    <RecordPage
      resource={priceList}
      api={priceLists}
      deletable={deletable}
      deletes={deletes}
      // the history of another company's list is not visible
      hasHistory={({ own }) => own}
      state={(row) => <State row={row} />}
    />
  )
}
