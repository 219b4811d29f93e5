import { useCallback, useContext, useMemo } from 'react'
import { type NavigateOptions, UNSAFE_DataRouterContext as RouterContext, useLocation } from 'react-router'

/** Edits the given parameters in place, or returns others. */
// biome-ignore lint/suspicious/noConfusingVoidType: an edit in place returns nothing
type Edit = (params: URLSearchParams) => URLSearchParams | void

/**
 * Parameters of the address, and a function that changes some of them. Unlike the router's
 * `useSearchParams`, a change applies to the current address, not to the last rendered one, so that two
 * writers (a list and a choice above it) do not overwrite each other.
 */
export function useAddressParams(): [URLSearchParams, (edit: Edit, options?: NavigateOptions) => void] {
  const router = useContext(RouterContext)?.router
  if (!router) throw new Error('useAddressParams needs a data router')
  const { search } = useLocation()
  const params = useMemo(() => new URLSearchParams(search), [search])
  const change = useCallback(
    (edit: Edit, options?: NavigateOptions) => {
      const { location, navigation } = router.state
      const targetLocation = navigation.location?.pathname === location.pathname ? navigation.location : location
      const before = new URLSearchParams(targetLocation.search)
      const nextParams = new URLSearchParams(before)
      const search = (edit(nextParams) ?? nextParams).toString()
      if (search === before.toString()) return
      void router.navigate({ pathname: targetLocation.pathname, search, hash: targetLocation.hash }, options)
    },
    [router],
  )
  return [params, change]
}
