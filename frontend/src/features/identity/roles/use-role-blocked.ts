import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Permission } from '~/api/schema'
import { useBlocked } from '~/features/identity/shared/use-blocked'
import { tenantRef } from '~/features/identity/tenants/ref'
import { useCan, useMe } from '~/session/me'

/** Why a role of this owner cannot hold a permission: beyond the ceiling nobody of the tenant would have it. */
export function useRoleBlocked(tenantId: number | null): (permission: Permission, held: boolean) => string | null {
  const { t } = useTranslation('roles')
  const notOwn = useBlocked()
  const me = useMe()
  // what a tenant's user holds lies within it
  const asks = useCan('tenant.view') && me.tenant_id === null && tenantId !== null
  const ceiling = useQuery({ ...tenantRef.one(tenantId ?? 0), enabled: asks }).data?.permissions
  return (permission, held) => (!held && ceiling && !ceiling.includes(permission) ? t('beyondCeiling') : notOwn(permission, held))
}
