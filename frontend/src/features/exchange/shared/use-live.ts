import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { currentLanguage } from '~/i18n/i18n'
import { whenIdle } from '~/lib/when-idle'
import { useMe } from '~/session/me'

/** Starts live updates of imports as soon as the page is idle. */
export function useLive(): void {
  const queries = useQueryClient()
  // the server sends texts of imports in the reader's language
  const reader = `${useMe().id}.${currentLanguage()}`
  useEffect(() => {
    const stop = new AbortController()
    // if the chunk cannot be loaded, the queries poll instead
    const begin = () => void import('./live').then(({ listen }) => listen(queries, reader, stop.signal)).catch(() => {})
    const cancel = whenIdle(begin)
    return () => {
      cancel()
      stop.abort()
    }
  }, [queries, reader])
}
