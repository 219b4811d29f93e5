import { useTranslation } from 'react-i18next'
import type { Permission } from '~/api/schema'
import { useRights } from '~/session/me'

/** Blocks permissions that the current user does not have, which they cannot grant. */
export function useBlocked(): (permission: Permission, isGranted: boolean) => string | null {
  const { t } = useTranslation('permissions')
  const rights = useRights()
  return (permission, isGranted) => (isGranted || rights.has(permission) ? null : t('notOwn'))
}
