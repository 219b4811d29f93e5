import { type ComponentType, lazy } from 'react'
import { doubt } from '~/api/reach'
import { loadTexts } from '~/i18n/i18n'
import type { Namespace } from '~/i18n/namespaces'
import { signal } from '~/lib/signal'

/** Something of the page that is shown could not be had. */
export const lacking = signal(false)

/** Code or texts could not be had: the server does not answer, or has those of another version. */
export class PartMissing extends Error {
  constructor(cause: unknown) {
    super('a part of the application could not be loaded', { cause })
    this.name = 'PartMissing'
  }
}

/** Code with its texts. */
export async function part<T>(load: () => Promise<T>, texts: readonly Namespace[] = []): Promise<T> {
  try {
    const [loaded] = await Promise.all([load(), loadTexts(...texts)])
    return loaded
  } catch (cause) {
    doubt()
    throw new PartMissing(cause)
  }
}

const Nothing = () => null

/**
 * A part of a page that comes when it is first shown. Where it cannot be had its place stays empty and the page says so: a form that it
 * belongs to stays as it is. `ahead` has it come before.
 */
export function later<P extends object>(load: () => Promise<{ default: ComponentType<P> }>, ...texts: Namespace[]) {
  let coming: Promise<{ default: ComponentType<P> }> | null = null
  function come() {
    coming ??= part(load, texts).catch((error: unknown) => {
      coming = null
      throw error
    })
    return coming
  }
  return Object.assign(
    lazy(() =>
      come().catch((error: unknown) => {
        console.warn(error)
        lacking.set(true)
        return { default: Nothing as ComponentType<P> }
      }),
    ),
    { ahead: () => void come().catch(() => {}) },
  )
}
