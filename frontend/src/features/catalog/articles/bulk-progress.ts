import { signal, useSignal } from '~/lib/signal'

interface Progress {
  done: number
  of: number
}

/** How many of the articles whose values are changed have had their turn; null while none are changed. */
export const progress = signal<Progress | null>(null)

export const useProgress = () => useSignal(progress)
