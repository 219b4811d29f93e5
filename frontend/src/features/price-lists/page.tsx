import type { PriceList } from '~/api/schema'
import { RecordPage } from '~/kit/record-page/record-page'
import { deletable, priceLists } from './api'
import { PageActions } from './page-actions'
import { priceList } from './resource'
import { PriceListStatus } from './status-chip'

function State({ row }: { row: PriceList }) {
  return (
    <>
      <PriceListStatus row={row} />
      <PageActions row={row} />
    </>
  )
}

export default function PriceListPage() {
  return (
    <RecordPage
      of={priceList}
      api={priceLists}
      deletable={deletable}
      // what another company has done with its list is not told
      hasHistory={({ own }) => own}
      state={(row) => <State row={row} />}
    />
  )
}
