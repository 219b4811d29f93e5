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
  const seesImpact = useMaySeeImpact('price_list') && row.own
  const [confirmImpact, dialog] = useImpact()
  const confirm = (body: PriceListBody) =>
    confirmImpact({
      changeKind: 'update',
      name: row.name,
      request: impactOf.list(row.id, { change: withoutHiddenFields(body) }),
      skipsIfUnchanged: true,
    })
  return (
    <Box sx={{ maxWidth: 560, display: 'grid', gap: 2 }}>
      <LockedNotice row={row} />
      <PageForm
        resource={priceList}
        api={api}
        schema={priceListSchema}
        toForm={toForm}
        {...(seesImpact && { confirm })}
        writable={(list) => list.writable && list.status !== 'inactive'}
        explained={lockOf(row) !== null}
        entries={ENTRIES}
      >
        {({ control }, list) => <PriceListFields control={control} row={list} />}
      </PageForm>
      {dialog}
    </Box>
  )
}
