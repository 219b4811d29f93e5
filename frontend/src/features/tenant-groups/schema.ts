import type { TenantGroup } from '~/api/schema'
import { bodySchema, code, nullableText, text, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/resource/contract'

export type TenantGroupBody = BodyOf<'/api/admin/tenant-groups'>

const MEMBERS_MAX = 500

/** The form knows what the tenants are called, the server wants their keys. */
const members = () =>
  z.pipe(
    z.array(z.object({ id: z.number(), company: z.string() })).check(z.maxLength(MEMBERS_MAX, code('atMost', { max: MEMBERS_MAX }))),
    z.transform((tenants: { id: number; company: string }[]) => tenants.map(({ id }) => id)),
  )

export const tenantGroupSchema = bodySchema<TenantGroupBody>()({
  name: text(),
  description: nullableText(),
  tenant_ids: members(),
})

export const toForm = (row: TenantGroup | null) => ({
  name: row?.name ?? '',
  description: row?.description ?? '',
  tenant_ids: row?.tenants ?? [],
})

export type TenantGroupForm = ReturnType<typeof toForm>
