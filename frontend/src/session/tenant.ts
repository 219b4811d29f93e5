import { useCallback } from 'react'
import { useAddressParams } from '~/lib/address-params'
import { parseId } from '~/lib/ids'
import { cachedMe, useMe } from './me'

export const TENANT_PARAM = 'tenantId'

/** Only tenant-less users choose; a link from one of them must not send a foreign tenant for anybody else. */
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

/** The part of the address that follows from page to page. */
export function keepTenant(search: string): string {
  const tenant = parseId(new URLSearchParams(search).get(TENANT_PARAM))
  return tenant === null ? '' : `?${TENANT_PARAM}=${tenant}`
}
