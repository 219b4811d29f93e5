import { useCan } from '~/session/me'
import { useTenant } from '~/session/tenant'
import { AgeChart } from './home-chart-age'
import { ImportChart } from './home-chart-imports'
import { PriceChart } from './home-chart-prices'

/** Three small charts of a tenant: price course, age of stocks and prices, quality of the last imports. */
export default function Charts() {
  const { tenantId } = useTenant()
  const stocks = useCan('stock.list', 'stock.view')
  const prices = useCan('listing.list', 'listing.view')
  const imports = useCan('import.list', 'import.view')
  if (tenantId === null) return null
  return (
    <>
      {stocks && prices && <PriceChart />}
      {(stocks || prices) && <AgeChart showsStocks={stocks} showsPrices={prices} />}
      {imports && <ImportChart />}
    </>
  )
}
