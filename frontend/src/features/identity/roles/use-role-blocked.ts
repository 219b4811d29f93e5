import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Permission } from '~/api/schema'
import { useBlocked } from '~/features/identity/shared/use-blocked'
import { tenantRef } from '~/features/identity/tenants/ref'
import { useCan, useMe } from '~/session/me'

/**
 * Returns the reason why a role of this owner cannot have a permission; permissions beyond the tenant's
 * maximum would have no effect.
 */
export function useRoleBlocked(tenantId: number | null): (permission: Permission, isGranted: boolean) => string | null {
  const { t } = useTranslation('roles')
  const blockedReason = useBlocked()
  const me = useMe()
  // permissions of a tenant's own user are always within the maximum
  const loadsCeiling = useCan('tenant.view') && me.tenant_id === null && tenantId !== null
  const ceiling = useQuery({ ...tenantRef.one(tenantId ?? 0), enabled: loadsCeiling }).data?.permissions
  return (permission, isGranted) =>
    !isGranted && ceiling && !ceiling.includes(permission) ? t('beyondCeiling') : blockedReason(permission, isGranted)
}
