import createCache, { type EmotionCache } from '@emotion/cache'
import { useEffect, useState } from 'react'
import type { Direction } from './preferences'

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content
const options = { prepend: true, ...(nonce && { nonce }) }

const caches: Partial<Record<Direction, EmotionCache>> = { ltr: createCache({ key: 'css', ...options }) }

/** Styles from right to left are turned by a plugin that nobody else loads. */
export async function loadDirection(direction: Direction): Promise<void> {
  if (caches[direction]) return
  const { stylisPlugins } = await import('./rtl')
  caches[direction] = createCache({ key: 'rtl', stylisPlugins, ...options })
}

/** The styles of a direction: those before until it has been loaded. */
export function useStyles(direction: Direction): { cache: EmotionCache; direction: Direction } {
  const [, setLoaded] = useState<Direction | null>(null)
  const ready: Direction = caches[direction] ? direction : 'ltr'
  useEffect(() => {
    let wanted = true
    void loadDirection(direction).then(() => wanted && setLoaded(direction))
    return () => {
      wanted = false
    }
  }, [direction])
  useEffect(() => {
    document.documentElement.dir = ready
  }, [ready])
  return { cache: caches[ready] as EmotionCache, direction: ready }
}
