import type { User } from '~/api/schema'
import { useAccess } from '~/session/access'
import { useMe } from '~/session/me'

/** Whether somebody has no password yet. */
export const isPending = ({ status }: User): boolean => status === 'NotInvited' || status.startsWith('Invitation')

/** Whom one may invite: who has no password yet and holds no more than oneself. */
export function useMayInvite(): (user: User) => boolean {
  const may = useAccess('user')
  const me = useMe()
  return (user) => may.create && user.writable && user.id !== me.id && isPending(user)
}
