import { useEffect } from 'react'
import { signal, useSignal } from '~/lib/signal'

export interface Crumb {
  path: string
  text: string
}

const NONE: readonly Crumb[] = []
const crumbs = signal(NONE)

/**
 * Adds crumbs to the breadcrumbs while the page is mounted: its record, and the part of it that is shown.
 */
export function usePageCrumbs(own: readonly Crumb[]): void {
  const serialized = JSON.stringify(own)
  useEffect(() => {
    crumbs.set(JSON.parse(serialized))
    return () => crumbs.set(NONE)
  }, [serialized])
}

export const useCrumbs = (): readonly Crumb[] => useSignal(crumbs)
