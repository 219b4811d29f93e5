import type { Permission } from '~/api/schema'
import { useMe, useRights } from './me'

type Prefix<P> = P extends `${infer X}.create` ? X : never
export type Area = Prefix<Permission>

/** What the user may do with an area's records. Platform-wide master data is written by tenant-less users only. */
export function useAccess(area: Area, options: { platform?: boolean } = {}) {
  const me = useMe()
  const rights = useRights()
  const writes = !options.platform || me.tenant_id === null
  return {
    create: writes && rights.has(`${area}.create`),
    // what cannot be changed has no such right
    update: writes && rights.has(`${area}.update` as Permission),
    remove: writes && rights.has(`${area}.delete`),
  }
}
