import type { CurrentUser, Permission } from '~/api/schema'
import { type Rights, useMe, useRights } from './me'

type Prefix<P> = P extends `${infer X}.list` ? X : never
/** What the permissions of a kind of records begin with. */
export type Area = Prefix<Permission>

export interface AccessOptions {
  /** Only users without a tenant write its records. */
  platform?: boolean
  /** Its records are parts of others: creating and deleting them takes the right to update those. */
  isPart?: boolean | undefined
  /** The permission that changes its records, where there is none of its own. */
  changedBy?: 'create' | undefined
  /** The one permission for all of it. */
  permission?: Permission | undefined
}

export function useAccess(area: Area | null, options: AccessOptions = {}) {
  return accessOf(useMe(), useRights(), area, options)
}

/** What a user may do with an area's records. Platform-wide master data is written by tenant-less users only. */
export function accessOf(me: CurrentUser, rights: Rights, area: Area | null, { platform, isPart, changedBy, permission }: AccessOptions) {
  const writes = !platform || me.tenant_id === null
  const may = (verb: string) => writes && rights.has(permission ?? (`${area}.${isPart ? 'update' : verb}` as Permission))
  return {
    // what cannot be made or changed has no such right
    create: may('create'),
    update: may(changedBy ?? 'update'),
    remove: may('delete'),
  }
}
