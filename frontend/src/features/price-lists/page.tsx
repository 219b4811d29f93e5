import type { PriceList } from '~/api/schema'
import { RecordPage } from '~/kit/record-page/record-page'
import { priceLists } from './api'
import { PageActions } from './page-actions'
import { priceList } from './resource'
import { PriceListStatus } from './status-chip'

function State({ row }: { row: PriceList }) {
  return (
    <>
      <PriceListStatus status={row.status} />
      <PageActions row={row} />
    </>
  )
}

/** Only what is pending can be deleted, and only by who may write it. */
const api = { ...priceLists }

export default function PriceListPage() {
  return <RecordPage of={priceList} api={api} state={(row) => <State row={row} />} />
}
