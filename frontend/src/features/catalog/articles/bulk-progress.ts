import { signal, useSignal } from '~/lib/signal'

interface Progress {
  done: number
  total: number
}

/** Progress of the running bulk change of values; null if none is running. */
export const progress = signal<Progress | null>(null)

export const useProgress = () => useSignal(progress)
