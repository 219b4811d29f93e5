import { useCan, useMe } from '~/session/me'
import type { Resource } from './resource'

/** Whether the history of its records can be looked at; tenants see none of the platform's records. */
export function useSeesHistory({ record, whose }: Pick<Resource, 'record' | 'whose'>): boolean {
  const me = useMe()
  const allowed = useCan('audit.list')
  return allowed && record !== null && (whose !== 'platform' || me.tenant_id === null)
}
