import { useTranslation } from 'react-i18next'
import type { Permission } from '~/api/schema'
import { useRights } from '~/session/me'

/** Blocks permissions that the current user does not have, which they cannot grant. */
export function useBlocked(): (permission: Permission, held: boolean) => string | null {
  const { t } = useTranslation('permissions')
  const rights = useRights()
  return (permission, held) => (held || rights.has(permission) ? null : t('notOwn'))
}
