import { type PriceList, priceListScopeValues, priceListTypeValues } from '~/api/schema'
import { moment, nullableMoment, toMoment } from '~/features/pricing/shared/moment'
import { bodySchema, choice, nullableRef, nullableText, text, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'

export type PriceListBody = BodyOf<'/api/admin/price-lists'>

export const priceListSchema = bodySchema<PriceListBody>()({
  name: text(),
  customer_name: nullableText(),
  announce: z.boolean(),
  owner_tenant_id: nullableRef(),
  owner_tenant_group_id: nullableRef(),
  type: choice(priceListTypeValues),
  scope: choice(priceListScopeValues),
  valid_from: moment(),
  limited: z.boolean(),
  valid_until: nullableMoment(),
  tenant_ids: z.array(z.number()),
  tenant_group_ids: z.array(z.number()),
  excluded_tenant_ids: z.array(z.number()),
})

/** Initial values of the form; `owner` is the most probable owner of a new list. */
export const toForm = (row: PriceList | null, owner: number | null = null) => ({
  name: row?.name ?? '',
  customer_name: row?.customer_name ?? '',
  announce: row?.announce ?? false,
  owner_tenant_id: row ? (row.owner_tenant?.id ?? null) : owner,
  owner_tenant_group_id: row?.owner_tenant_group?.id ?? null,
  type: row?.type ?? ('sales' as const),
  scope: row?.scope ?? ('own' as const),
  valid_from: toMoment(row?.valid_from ?? null),
  limited: row?.limited ?? false,
  valid_until: toMoment(row?.valid_until ?? null),
  tenant_ids: row?.tenants.map(({ id }) => id) ?? [],
  tenant_group_ids: row?.tenant_groups.map(({ id }) => id) ?? [],
  excluded_tenant_ids: row?.excluded_tenants.map(({ id }) => id) ?? [],
})

export type PriceListForm = ReturnType<typeof toForm>
