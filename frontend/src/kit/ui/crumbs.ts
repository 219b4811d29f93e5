import { useEffect } from 'react'
import { signal, useSignal } from '~/lib/signal'

export interface Crumb {
  path: string
  text: string
}

const NONE: readonly Crumb[] = []
const crumbs = signal(NONE)

/** What a page adds to the breadcrumbs for as long as it is shown: what it shows, and which part of that. */
export function useCrumbsOf(own: readonly Crumb[]): void {
  const told = JSON.stringify(own)
  useEffect(() => {
    crumbs.set(JSON.parse(told))
    return () => crumbs.set(NONE)
  }, [told])
}

export const useCrumbs = (): readonly Crumb[] => useSignal(crumbs)
