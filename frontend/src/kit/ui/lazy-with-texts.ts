import { type ComponentType, lazy } from 'react'
import { reportFailure } from '~/api/reach'
import { loadTexts } from '~/i18n/i18n'
import type { Namespace } from '~/i18n/namespaces'
import { signal } from '~/lib/signal'

/** True if a chunk of the current page could not be loaded. */
export const chunkMissing = signal(false)

/** Error for code or texts that could not be loaded: the server does not answer, or has another version. */
export class ChunkLoadError extends Error {
  constructor(cause: unknown) {
    super('a part of the application could not be loaded', { cause })
    this.name = 'PartMissing'
  }
}

/** Loads code together with its texts. */
export async function loadChunk<T>(load: () => Promise<T>, texts: readonly Namespace[] = []): Promise<T> {
  try {
    const [loaded] = await Promise.all([load(), loadTexts(...texts)])
    return loaded
  } catch (cause) {
    reportFailure()
    throw new ChunkLoadError(cause)
  }
}

const Nothing = () => null

/**
 * Lazy component whose code and texts are loaded when it is first rendered. If that fails, its place stays
 * empty and the page shows a notice, so that a surrounding form survives. `preload` loads it in advance.
 */
export function lazyWithTexts<P extends object>(load: () => Promise<{ default: ComponentType<P> }>, ...texts: Namespace[]) {
  let pendingLoad: Promise<{ default: ComponentType<P> }> | null = null
  function loadOnce() {
    pendingLoad ??= loadChunk(load, texts).catch((error: unknown) => {
      pendingLoad = null
      throw error
    })
    return pendingLoad
  }
  return Object.assign(
    lazy(() =>
      loadOnce().catch((error: unknown) => {
        console.warn(error)
        chunkMissing.set(true)
        return { default: Nothing as ComponentType<P> }
      }),
    ),
    { preload: () => void loadOnce().catch(() => {}) },
  )
}
