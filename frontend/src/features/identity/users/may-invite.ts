import type { User } from '~/api/schema'
import { useAccess } from '~/session/access'
import { useMe } from '~/session/me'

/** True if the user has no password yet. */
export const isPending = ({ status }: User): boolean => status === 'NotInvited' || status.startsWith('Invitation')

/**
 * Returns a function that says if the current user may invite a user: one without a password and without
 * further permissions.
 */
export function useMayInvite(): (user: User) => boolean {
  const may = useAccess('user')
  const me = useMe()
  return (user) => may.create && user.writable && user.id !== me.id && isPending(user)
}
