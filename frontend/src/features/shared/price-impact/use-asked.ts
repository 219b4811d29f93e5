import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useContext, useEffect, useState } from 'react'
import { QuestionOpen } from '~/kit/ui/question'
import type { AskImpact } from './impact-calls'

let questions = 0

/**
 * Asks once; whoever does not wait for the answer takes the question back. Once the question that shows the impact is answered it is
 * asked no longer: the change is made meanwhile, and the record may be gone.
 */
export function useAsked(ask: AskImpact) {
  const client = useQueryClient()
  const isOpen = useContext(QuestionOpen)
  const [question] = useState(() => ++questions)
  useEffect(() => {
    if (!isOpen) void client.cancelQueries({ queryKey: keyOf(question) })
  }, [client, isOpen, question])
  return useQuery({
    queryKey: keyOf(question),
    queryFn: ({ signal }) => ask(signal),
    enabled: isOpen,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
  })
}

/** As all that follows an input, it is not asked for again when records have changed. */
const keyOf = (question: number) => ['post', 'price impact', question]
