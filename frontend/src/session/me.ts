import { createContext, useContext, useMemo } from 'react'
import { $api } from '~/api/client'
import { queryClient } from '~/api/query'
import type { CurrentUser, Permission } from '~/api/schema'

export const meOptions = () => $api.queryOptions('get', '/api/users/me', {}, { retry: false, staleTime: 60_000 })

/** Asked for as soon as somebody is signed in, while the code of what follows is on its way. */
export const prefetchMe = () => void queryClient.prefetchQuery(meOptions())

/** Checks the session when the window comes back; passive, so that looking does not keep it alive. */
export const sessionOptions = () =>
  $api.queryOptions(
    'get',
    '/api/sessions/current',
    { headers: { 'X-Passive': '1' } },
    { retry: false, refetchOnWindowFocus: 'always', meta: { fixed: true } },
  )

export const MeContext = createContext<CurrentUser | null>(null)

export function useMe(): CurrentUser {
  const me = useContext(MeContext)
  if (!me) throw new Error('No Query Context set!')
  return me
}

export const cachedMe = (): CurrentUser | undefined => queryClient.getQueryData(meOptions().queryKey)

export type Rights = ReadonlySet<Permission>

export const rightsOf = (me: CurrentUser): Rights => new Set(me.permissions.map((permission) => permission.name))

/** Does what needs rights, as soon as it is known that the user has them. */
export async function whenAllowed(needed: readonly Permission[], act: () => unknown): Promise<void> {
  // why nobody is known is said where the page asks
  const me = await queryClient.ensureQueryData(meOptions()).catch(() => null)
  const rights = me && rightsOf(me)
  if (rights && needed.every((name) => rights.has(name))) act()
}

/** True when the user holds all of the named permissions. */
export function useCan(...needed: Permission[]): boolean {
  const rights = useRights()
  return needed.every((name) => rights.has(name))
}

export function useRights(): Rights {
  const me = useMe()
  return useMemo(() => rightsOf(me), [me])
}
