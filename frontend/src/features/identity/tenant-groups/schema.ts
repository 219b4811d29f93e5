import type { TenantGroup } from '~/api/schema'
import { bodySchema, code, nullableText, text, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'

export type TenantGroupBody = BodyOf<'/api/admin/tenant-groups'>

export const MEMBERS_MAX = 500

export const tenantGroupSchema = bodySchema<TenantGroupBody>()({
  name: text(),
  description: nullableText(),
  tenant_ids: z.array(z.number()).check(z.maxLength(MEMBERS_MAX, code('atMost', { max: MEMBERS_MAX }))),
})

export const toForm = (row: TenantGroup | null) => ({
  name: row?.name ?? '',
  description: row?.description ?? '',
  tenant_ids: row?.tenants.map(({ id }) => id) ?? [],
})
