import type { CurrentUser, Permission } from '~/api/schema'
import { type Rights, useMe, useRights } from './me'

type Prefix<P> = P extends `${infer X}.list` ? X : never
/** What the permissions of a kind of records begin with. */
export type Area = Prefix<Permission>

export function useAccess(area: Area, options: { platform?: boolean } = {}) {
  return accessOf(useMe(), useRights(), area, options)
}

/** What a user may do with an area's records. Platform-wide master data is written by tenant-less users only. */
export function accessOf(me: CurrentUser, rights: Rights, area: Area, options: { platform?: boolean }) {
  const writes = !options.platform || me.tenant_id === null
  return {
    // what cannot be made or changed has no such right
    create: writes && rights.has(`${area}.create` as Permission),
    update: writes && rights.has(`${area}.update` as Permission),
    remove: writes && rights.has(`${area}.delete` as Permission),
  }
}
