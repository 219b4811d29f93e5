import Box from '@mui/material/Box'
import type { PriceList } from '~/api/schema'
import { exceptIn, partnerRef } from '~/features/exchange/partners/ref'
import { groupsIn, tenantGroupRef } from '~/features/identity/tenant-groups/ref'
import { companiesIn } from '~/features/identity/tenants/ref'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { useImpact, useMaySeeImpact } from '~/features/shared/price-impact/use-impact'
import { refEntries } from '~/kit/form/refs-field'
import { PageForm } from '~/kit/records/page-form'
import { useRecordPage } from '~/kit/records/record-page-context'
import { priceLists } from './api'
import { withCleanBody, withoutHiddenFields } from './clean-body'
import { PriceListFields } from './fields'
import { LockedNotice, lockOf } from './locked-notice'
import { priceList } from './resource'
import { type PriceListBody, priceListSchema, toForm } from './schema'

const api = withCleanBody(priceLists)
const ENTRIES = {
  tenant_ids: refEntries(partnerRef, companiesIn),
  tenant_group_ids: refEntries(tenantGroupRef, groupsIn),
  excluded_tenant_ids: refEntries(partnerRef, exceptIn),
}

export default function PriceListDetails() {
  const { row } = useRecordPage<PriceList>()
  const sees = useMaySeeImpact('price_list') && row.own
  const [ask, dialog] = useImpact()
  const confirm = (body: PriceListBody) =>
    ask({ to: 'update', name: row.name, ask: impactOf.list(row.id, { change: withoutHiddenFields(body) }), quiet: true })
  return (
    <Box sx={{ maxWidth: 560, display: 'grid', gap: 2 }}>
      <LockedNotice row={row} />
      <PageForm
        of={priceList}
        api={api}
        schema={priceListSchema}
        toForm={toForm}
        {...(sees && { confirm })}
        writable={(shown) => shown.writable && shown.status !== 'inactive'}
        explained={lockOf(row) !== null}
        entries={ENTRIES}
      >
        {({ control }, shown) => <PriceListFields control={control} row={shown} />}
      </PageForm>
      {dialog}
    </Box>
  )
}
