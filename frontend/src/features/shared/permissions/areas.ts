import { type Permission, permissionValues } from '~/api/schema'

export const VERBS = ['list', 'view', 'create', 'update', 'delete'] as const
export type PermissionVerb = (typeof VERBS)[number]

/** Permissions for the records of an area, by verb. */
export interface PermissionArea {
  area: string
  verbs: Partial<Record<PermissionVerb, Permission>>
}

const isVerb = (text: string | undefined): text is PermissionVerb => VERBS.includes(text as PermissionVerb)

function groupPermissions(): { areas: PermissionArea[]; singles: Permission[] } {
  const areas = new Map<string, PermissionArea>()
  const singles: Permission[] = []
  for (const permission of permissionValues) {
    const [area = '', verb] = permission.split('.')
    if (!isVerb(verb)) {
      singles.push(permission)
      continue
    }
    const entry = areas.get(area) ?? { area, verbs: {} }
    entry.verbs[verb] = permission
    areas.set(area, entry)
  }
  return { areas: [...areas.values()], singles }
}

/** All permissions: those of areas, and those outside of areas. */
export const { areas, singles } = groupPermissions()

/** Returns a permission with those that its page needs to open. */
export function requiredPermissions(permission: Permission): Permission[] {
  const [area, verb] = permission.split('.')
  const { verbs } = areas.find((entry) => entry.area === area) ?? { verbs: {} as PermissionArea['verbs'] }
  if (!isVerb(verb) || verb === 'list') return [permission]
  return [verbs.list, verb === 'view' ? undefined : verbs.view, permission].filter((one) => one !== undefined)
}

/**
 * Permissions for the records that the forms of another area choose from; without them the choice stays
 * empty.
 */
const CHOICES: Record<string, readonly Permission[]> = {
  article: ['article_type.view', 'material.view'],
  matching: ['article.view', 'warehouse.view'],
  price_list: ['article.view'],
  stock: ['article.view', 'warehouse.view'],
  user: ['roles.view'],
}

/** Permissions of other areas that the form of a permission needs for its choices. */
export function permissionsForChoices(permission: Permission): Permission[] {
  const [area = '', verb] = permission.split('.')
  return verb === 'create' || verb === 'update' ? (CHOICES[area] ?? []).flatMap(requiredPermissions) : []
}

/** Returns a permission with those that need it, which are removed together. */
export function dependentPermissions(permission: Permission): Permission[] {
  return permissionValues.filter((other) => requiredPermissions(other).includes(permission))
}

/** Permission for the admin area, which the permissions of areas apply to. */
export const ADMIN_ACCESS: Permission = 'access-admin'

/** True if a permission is about the records of an area. */
export const isOfArea = (permission: Permission) => !singles.includes(permission)

/** Adds all permissions that the pages and forms of the given ones need. */
export function completePermissions(permissions: readonly Permission[]): Permission[] {
  const all = permissions.flatMap((permission) => [...requiredPermissions(permission), ...permissionsForChoices(permission)])
  return [...new Set<Permission>([ADMIN_ACCESS, ...all])]
}
