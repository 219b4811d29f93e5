import type { CurrentUser, Permission } from '~/api/schema'
import { type Rights, useMe, useRights } from './me'

type Prefix<P> = P extends `${infer X}.list` ? X : never
/** Common prefix of the permissions of a kind of records. */
export type Area = Prefix<Permission>

export interface AccessOptions {
  /** True if only users without a tenant can write the records. */
  platform?: boolean
  /**
   * True if the records are parts of others: creating and deleting them needs the permission to update
   * those.
   */
  isPart?: boolean | undefined
  /** Permission that changes records, if there is none for updates. */
  changedBy?: 'create' | undefined
  /** Single permission for everything. */
  permission?: Permission | undefined
}

export function useAccess(area: Area | null, options: AccessOptions = {}) {
  return accessOf(useMe(), useRights(), area, options)
}

/**
 * Returns the operations that a user may perform on an area's records. Platform-wide master data is written
 * only by users without a tenant.
 */
export function accessOf(me: CurrentUser, rights: Rights, area: Area | null, { platform, isPart, changedBy, permission }: AccessOptions) {
  const writes = !platform || me.tenant_id === null
  const may = (verb: string) => writes && rights.has(permission ?? (`${area}.${isPart ? 'update' : verb}` as Permission))
  return {
    // areas without an operation have no such permission either
    create: may('create'),
    update: may(changedBy ?? 'update'),
    remove: may('delete'),
  }
}
