import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AskImpact } from './impact-calls'

let questions = 0

/** Asks once; whoever does not wait for the answer takes the question back. */
export function useAsked(ask: AskImpact) {
  const [question] = useState(() => ++questions)
  return useQuery({
    // as all that follows an input, it is not asked for again when records have changed
    queryKey: ['post', 'price impact', question],
    queryFn: ({ signal }) => ask(signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
  })
}
