import { createContext, useContext, useMemo } from 'react'
import { $api } from '~/api/client'
import { queryClient } from '~/api/query'
import type { CurrentUser, Permission } from '~/api/schema'

export const meOptions = () => $api.queryOptions('get', '/api/users/me', {}, { retry: false, staleTime: 60_000 })

/** Prefetches the user after the sign-in, while the code of the next page is loading. */
export const prefetchMe = () => void queryClient.prefetchQuery(meOptions())

/**
 * Query that checks the session when the window regains focus; passive, so that the check does not prolong
 * the session.
 */
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

/** Calls `run` as soon as the user is loaded, if they have the permissions. */
export async function whenAllowed(permissions: readonly Permission[], run: () => unknown): Promise<void> {
  // the page itself reports a failed request
  const me = await queryClient.ensureQueryData(meOptions()).catch(() => null)
  const rights = me && rightsOf(me)
  if (rights && permissions.every((name) => rights.has(name))) run()
}

/** True if the user has all of the named permissions. */
export function useCan(...permissions: Permission[]): boolean {
  const rights = useRights()
  return permissions.every((name) => rights.has(name))
}

export function useRights(): Rights {
  const me = useMe()
  return useMemo(() => rightsOf(me), [me])
}
