import type { PriceAdjustment } from '~/api/schema'
import { exceptIn, partnerRef } from '~/features/exchange/partners/ref'
import { groupsIn, tenantGroupRef } from '~/features/identity/tenant-groups/ref'
import { companiesIn } from '~/features/identity/tenants/ref'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { useImpact, useMaySeeImpact } from '~/features/shared/price-impact/use-impact'
import { refEntries } from '~/kit/form/refs-field'
import { RecordForm } from '~/kit/records/record-form'
import { priceAdjustments } from './api'
import { PriceAdjustmentFields } from './fields'
import { priceAdjustment } from './resource'
import { type PriceAdjustmentBody, priceAdjustmentSchema, toCopy, toForm } from './schema'

const ENTRIES = {
  tenant_ids: refEntries(partnerRef, companiesIn),
  tenant_group_ids: refEntries(tenantGroupRef, groupsIn),
  excluded_tenant_ids: refEntries(partnerRef, exceptIn),
}

export default function PriceAdjustmentForm() {
  const seesImpact = useMaySeeImpact('price_adjustment')
  const [confirmImpact, dialog] = useImpact()
  const confirm = (input: PriceAdjustmentBody, row: PriceAdjustment | null) => {
    const change = row ? { update: { id: row.id, input } } : { create: input }
    return confirmImpact({
      changeKind: row ? 'update' : 'create',
      name: row?.name ?? input.name,
      request: impactOf.adjustment(change),
      skipsIfUnchanged: row !== null,
    })
  }
  return (
    <>
      <RecordForm
        resource={priceAdjustment}
        api={priceAdjustments}
        schema={priceAdjustmentSchema}
        toForm={toForm}
        copy={toCopy}
        width="md"
        entries={ENTRIES}
        {...(seesImpact && { confirm })}
      >
        {({ control }, row: PriceAdjustment | null) => <PriceAdjustmentFields control={control} row={row} />}
      </RecordForm>
      {dialog}
    </>
  )
}
