import { type Permission, permissionValues, type User } from '~/api/schema'
import { bodySchema, emailAddress, nullableRef, text, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'

export type UserBody = BodyOf<'/api/admin/users'>

const fields = bodySchema<UserBody>()({
  name: text(),
  email: text().check(emailAddress),
  tenant_id: nullableRef(),
  role_ids: z.array(z.number()),
  permissions: z.nullable(z.array(z.enum(permissionValues as unknown as [Permission]))),
})

// the form keeps the permissions while the user tries it without the restriction
export const userSchema = z.pipe(
  z.extend(fields, { narrowed: z.boolean(), permissions: z.array(z.enum(permissionValues as unknown as [Permission])) }),
  z.transform(({ narrowed, ...body }): UserBody => ({ ...body, permissions: narrowed ? body.permissions : null })),
)

export const toForm = (row: User | null, tenantId: number | null = null) => ({
  name: row?.name ?? '',
  email: row?.email ?? '',
  tenant_id: row ? row.tenant_id : tenantId,
  role_ids: row?.roles.map((role) => role.id) ?? [],
  narrowed: row?.narrowed ?? false,
  permissions: row?.permissions.map((permission) => permission.name) ?? [],
})

export type UserForm = ReturnType<typeof toForm>
