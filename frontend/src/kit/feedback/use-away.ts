import { useSyncExternalStore } from 'react'
import { away } from '~/api/reach'

/** Whether the server is known not to answer. */
export const useAway = (): boolean => useSyncExternalStore(away.subscribe, away.get)
