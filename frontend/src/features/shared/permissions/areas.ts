import { type Permission, permissionValues } from '~/api/schema'

export const VERBS = ['list', 'view', 'create', 'update', 'delete'] as const
export type Verb = (typeof VERBS)[number]

/** What can be done with the records of an area. */
export interface PermissionArea {
  area: string
  verbs: Partial<Record<Verb, Permission>>
}

const isVerb = (text: string | undefined): text is Verb => VERBS.includes(text as Verb)

function split(): { areas: PermissionArea[]; singles: Permission[] } {
  const areas = new Map<string, PermissionArea>()
  const singles: Permission[] = []
  for (const permission of permissionValues) {
    const [area = '', verb] = permission.split('.')
    if (!isVerb(verb)) {
      singles.push(permission)
      continue
    }
    const known = areas.get(area) ?? { area, verbs: {} }
    known.verbs[verb] = permission
    areas.set(area, known)
  }
  return { areas: [...areas.values()], singles }
}

/** All permissions: those of areas, and those that stand alone. */
export const { areas, singles } = split()

/** With a permission come those without which its page does not open. */
export function needed(permission: Permission): Permission[] {
  const [area, verb] = permission.split('.')
  const { verbs } = areas.find((known) => known.area === area) ?? { verbs: {} as PermissionArea['verbs'] }
  if (!isVerb(verb) || verb === 'list') return [permission]
  return [verbs.list, verb === 'view' ? undefined : verbs.view, permission].filter((one) => one !== undefined)
}

/** Areas whose records the forms of another area choose from: without their permissions a choice stays empty. */
const CHOICES: Record<string, readonly Permission[]> = {
  article: ['article_type.view', 'material.view'],
  matching: ['article.view', 'warehouse.view'],
  price_list: ['article.view'],
  stock: ['article.view', 'warehouse.view'],
  user: ['roles.view'],
}

/** The permissions of other areas by which the form of a permission can be filled. */
export function choicesOf(permission: Permission): Permission[] {
  const [area = '', verb] = permission.split('.')
  return verb === 'create' || verb === 'update' ? (CHOICES[area] ?? []).flatMap(needed) : []
}

/** And without it go those that need it. */
export function dependent(permission: Permission): Permission[] {
  return permissionValues.filter((other) => needed(other).includes(permission))
}

/** Opens the admin area, which the permissions of areas are for. */
export const ENTRANCE: Permission = 'access-admin'

/** True if a permission is about the records of an area. */
export const isOfArea = (permission: Permission) => !singles.includes(permission)

/** Permissions with everything that their pages and forms need. */
export function complete(permissions: readonly Permission[]): Permission[] {
  const all = permissions.flatMap((permission) => [...needed(permission), ...choicesOf(permission)])
  return [...new Set<Permission>([ENTRANCE, ...all])]
}
