import { useCallback, useContext, useMemo } from 'react'
import { type NavigateOptions, UNSAFE_DataRouterContext as RouterContext, useLocation } from 'react-router'

/** Changes the parameters that it is given, or returns others in their place. */
// biome-ignore lint/suspicious/noConfusingVoidType: as React's EffectCallback, so that an edit in place need not return
type Edit = (params: URLSearchParams) => URLSearchParams | void

/**
 * The parameters of the address, and a function that changes some of them. Unlike the router's `useSearchParams`, a change applies to
 * the newest address and not to the one that was last drawn: two writers (a list and a choice above it) keep each other's parameters.
 */
export function useAddressParams(): [URLSearchParams, (edit: Edit, options?: NavigateOptions) => void] {
  const router = useContext(RouterContext)?.router
  if (!router) throw new Error('useAddressParams needs a data router')
  const { search } = useLocation()
  const params = useMemo(() => new URLSearchParams(search), [search])
  const change = useCallback(
    (edit: Edit, options?: NavigateOptions) => {
      const { location, navigation } = router.state
      const coming = navigation.location?.pathname === location.pathname ? navigation.location : location
      const before = new URLSearchParams(coming.search)
      const given = new URLSearchParams(before)
      const search = (edit(given) ?? given).toString()
      if (search === before.toString()) return
      void router.navigate({ pathname: coming.pathname, search, hash: coming.hash }, options)
    },
    [router],
  )
  return [params, change]
}
