import { type Control, useWatch } from 'react-hook-form'
import { type PriceList, priceListScopeValues, priceListTypeValues } from '~/api/schema'
import { exceptIn, partnerRef } from '~/features/exchange/partners/ref'
import { groupsIn, tenantGroupRef } from '~/features/identity/tenant-groups/ref'
import { companiesIn, tenantRef } from '~/features/identity/tenants/ref'
import { InstantField } from '~/features/pricing/shared/instant-field'
import { CheckField, EnumField, TextField } from '~/kit/form/fields'
import { useFormScope } from '~/kit/form/form-context'
import { RefField } from '~/kit/form/ref-field'
import { RefsField } from '~/kit/form/refs-field'
import { useMe, useRights } from '~/session/me'
import type { PriceListBody, PriceListForm } from './schema'

interface Props {
  control: Control<PriceListForm, unknown, PriceListBody>
  /** Saved list; null for a new one. */
  row: PriceList | null
}

export function PriceListFields({ control, row }: Props) {
  const me = useMe()
  const rights = useRights()
  const [type, scope, limited, ownerGroup, groups, excluded] = useWatch({
    control,
    name: ['type', 'scope', 'limited', 'owner_tenant_group_id', 'tenant_group_ids', 'excluded_tenant_ids'],
  })
  const { readOnly } = useFormScope()
  const hasStarted = row !== null && row.status !== 'pending'
  // internal prices are visible to the owner only, and customers do not see the second name of a list
  const isForeign = row !== null && row.announce === null
  const hasCustomers = type === 'sales' && !isForeign
  return (
    <>
      <TextField control={control} name="name" required max={255} autoFocus={row === null} {...(isForeign && { help: '' })} />
      {hasCustomers && <TextField control={control} name="customer_name" max={255} />}
      {me.tenant_id === null && (
        <>
          <RefField control={control} name="owner_tenant_id" source={tenantRef} disabled={row !== null} />
          <RefField control={control} name="owner_tenant_group_id" source={tenantGroupRef} disabled={row !== null} />
        </>
      )}
      <EnumField control={control} name="type" values={priceListTypeValues} required disabled={hasStarted} />
      {/* the earliest start matters neither for a list that has started nor for read-only users */}
      <InstantField control={control} name="valid_from" required disabled={hasStarted} {...((hasStarted || readOnly) && { help: '' })} />
      {hasCustomers && !hasStarted && <CheckField control={control} name="announce" />}
      <CheckField control={control} name="limited" />
      {limited && <InstantField control={control} name="valid_until" required />}
      <EnumField control={control} name="scope" values={priceListScopeValues} required />
      {scope === 'own' && (
        <>
          <RefsField control={control} name="tenant_ids" source={partnerRef} names={companiesIn(row)} canSearch />
          <RefsField
            control={control}
            name="tenant_group_ids"
            source={tenantGroupRef}
            names={groupsIn(row)}
            canSearch={rights.has('tenant-group.list')}
          />
        </>
      )}
      {/* exclusions make no sense if customers are named one by one */}
      {(scope === 'global' || ownerGroup !== null || groups.length > 0 || excluded.length > 0) && (
        <RefsField control={control} name="excluded_tenant_ids" source={partnerRef} names={exceptIn(row)} canSearch />
      )}
    </>
  )
}
