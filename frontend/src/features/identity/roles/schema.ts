import { permissionValues, type Role } from '~/api/schema'
import { bodySchema, text, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'

export type RoleBody = BodyOf<'/api/admin/roles'>

export const roleSchema = bodySchema<RoleBody>()({
  name: text(),
  permissions: z.array(z.enum(permissionValues as unknown as [Role['permissions'][number]])),
})

export const toForm = (row: Pick<Role, 'name' | 'permissions'> | null) => ({
  name: row?.name ?? '',
  permissions: row?.permissions ?? [],
})
