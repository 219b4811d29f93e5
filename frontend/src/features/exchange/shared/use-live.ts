import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { currentLanguage } from '~/i18n/i18n'
import { whenIdle } from '~/lib/when-idle'
import { useMe } from '~/session/me'

/** Imports are shown as they move, as soon as the page has nothing more urgent to do. */
export function useLive(): void {
  const queries = useQueryClient()
  // what the server says of an import is in the reader's language
  const reader = `${useMe().id}.${currentLanguage()}`
  useEffect(() => {
    const stop = new AbortController()
    // code that cannot be had is no loss: then one asks
    const begin = () => void import('./live').then(({ listen }) => listen(queries, reader, stop.signal)).catch(() => {})
    const cancel = whenIdle(begin)
    return () => {
      cancel()
      stop.abort()
    }
  }, [queries, reader])
}
