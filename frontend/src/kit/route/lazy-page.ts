import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { LoaderFunctionArgs, RouteObject } from 'react-router'
import { queryClient } from '~/api/query'
import { loadTexts } from '~/i18n/i18n'
import type { Namespace } from '~/i18n/namespaces'
import { session } from '~/session/session'

/** A lazily loaded screen together with its texts. */
export const page =
  (load: () => Promise<{ default: ComponentType }>, ...namespaces: Namespace[]): NonNullable<RouteObject['lazy']> =>
  async () => {
    const [module] = await Promise.all([load(), loadTexts(...namespaces)])
    return { Component: module.default }
  }

type Fetch = Parameters<QueryClient['prefetchQuery']>[0]

/** Starts a page's data while its code is still on the way; the page itself shows what came of it. */
export const preload = (options: (search: string) => unknown): Pick<RouteObject, 'loader' | 'shouldRevalidate'> => ({
  loader({ request }: LoaderFunctionArgs) {
    if (session.get().phase === 'in') void queryClient.prefetchQuery(options(new URL(request.url).search) as Fetch)
    return null
  },
  // later changes of the address are the page's own business
  shouldRevalidate: () => false,
})
