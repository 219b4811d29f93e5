import createCache, { type EmotionCache } from '@emotion/cache'
import { useEffect, useState } from 'react'
import type { Direction } from './preferences'

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content
const options = { prepend: true, ...(nonce && { nonce }) }

const caches: Partial<Record<Direction, EmotionCache>> = { ltr: createCache({ key: 'css', ...options }) }

/** Loads the plugin that mirrors styles; only needed for right-to-left. */
export async function loadDirection(direction: Direction): Promise<void> {
  if (caches[direction]) return
  const { stylisPlugins } = await import('./rtl')
  caches[direction] = createCache({ key: 'rtl', stylisPlugins, ...options })
}

/** Style cache of a direction; left-to-right until the other one is loaded. */
export function useStyles(direction: Direction): { cache: EmotionCache; direction: Direction } {
  const [, setLoaded] = useState<Direction | null>(null)
  const ready: Direction = caches[direction] ? direction : 'ltr'
  useEffect(() => {
    let isCurrent = true
    void loadDirection(direction).then(() => isCurrent && setLoaded(direction))
    return () => {
      isCurrent = false
    }
  }, [direction])
  useEffect(() => {
    document.documentElement.dir = ready
  }, [ready])
  return { cache: caches[ready] as EmotionCache, direction: ready }
}
