import { externalApiKindValues, permissionValues, type Tenant } from '~/api/schema'
import { bodySchema, emailAddress, nullableEnum, nullableText, nullableWhole, shortCode, text, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'

export type TenantBody = BodyOf<'/api/admin/tenants'>

export const tenantSchema = bodySchema<TenantBody>()({
  company: text(),
  name: nullableText(),
  short_code: shortCode(),
  address: nullableText(),
  email: nullableText({ check: emailAddress }),
  phone: nullableText(),
  external_api_type: nullableEnum(externalApiKindValues),
  price_guard_percent: nullableWhole({ before: 4, min: 1 }),
  permissions: z.array(z.enum(permissionValues as unknown as [Tenant['permissions'][number]])),
})

export const toForm = (row: Tenant | null) => ({
  company: row?.company ?? '',
  // left empty, the name is the company
  name: row && row.name !== row.company ? row.name : '',
  short_code: row?.short_code ?? '',
  address: row?.address ?? '',
  email: row?.email ?? '',
  phone: row?.phone ?? '',
  external_api_type: row?.external_api_type ?? ('' as const),
  price_guard_percent: row?.price_guard_percent?.toString() ?? '',
  permissions: row?.permissions ?? [],
})

export type TenantForm = ReturnType<typeof toForm>
