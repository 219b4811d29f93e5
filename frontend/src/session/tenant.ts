import { useCallback } from 'react'
import { useAddressParams } from '~/lib/address-params'
import { parseId } from '~/lib/ids'
import { cachedMe, useMe } from './me'

export const TENANT_PARAM = 'tenantId'

/**
 * Tenant id for API requests. Only users without a tenant choose one; for others a foreign id in a link is
 * ignored.
 */
export function tenantOnWire(search = location.search): number | null {
  if (cachedMe()?.tenant_id !== null) return null
  return parseId(new URLSearchParams(search).get(TENANT_PARAM))
}

/** True for users without a tenant who have not chosen one in this address. */
export const lacksTenant = (search: string): boolean => cachedMe()?.tenant_id === null && tenantOnWire(search) === null

export function useTenant() {
  const me = useMe()
  const [params, changeParams] = useAddressParams()
  const mayChoose = me.tenant_id === null
  const chosen = parseId(params.get(TENANT_PARAM))
  const choose = useCallback(
    (id: number | null) =>
      changeParams((next) => {
        if (id === null) next.delete(TENANT_PARAM)
        else next.set(TENANT_PARAM, String(id))
        next.delete('page')
      }),
    [changeParams],
  )
  return { tenantId: mayChoose ? chosen : me.tenant_id, mayChoose, choose }
}

/** Part of the query that every link carries along. */
export function keepTenant(search: string): string {
  const tenant = parseId(new URLSearchParams(search).get(TENANT_PARAM))
  return tenant === null ? '' : `?${TENANT_PARAM}=${tenant}`
}
