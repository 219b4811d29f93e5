import { useCan, useMe } from '~/session/me'
import type { Resource } from './resource'

/**
 * True if the user may see the history of these records; tenants do not see that of the platform's records.
 */
export function useSeesHistory({ record, owner }: Pick<Resource, 'record' | 'owner'>): boolean {
  const me = useMe()
  const allowed = useCan('audit.list')
  return allowed && record !== null && (owner !== 'platform' || me.tenant_id === null)
}
