import { RecordForm } from '~/kit/records/record-form'
import { useTabOf } from '~/kit/records/use-tab-of'
import { useMe } from '~/session/me'
import { useTenant } from '~/session/tenant'
import { priceLists } from './api'
import { withCleanBody } from './clean-body'
import { PriceListFields } from './fields'
import { priceList } from './resource'
import { priceListSchema, toForm } from './schema'

export default function PriceListForm() {
  const created = useTabOf(priceList, 'prices')
  const me = useMe()
  const { tenantId } = useTenant()
  const owner = me.tenant_id ?? tenantId
  return (
    <RecordForm
      resource={priceList}
      api={withCleanBody(priceLists)}
      schema={priceListSchema}
      toForm={(row) => toForm(row, owner)}
      created={created}
    >
      {({ control }, row) => <PriceListFields control={control} row={row} />}
    </RecordForm>
  )
}
