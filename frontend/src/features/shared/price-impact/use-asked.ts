import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useContext, useEffect, useState } from 'react'
import { ConfirmationOpen } from '~/kit/ui/confirmation-open'
import type { AskImpact } from './impact-calls'

let questions = 0

/**
 * Requests an impact once and aborts the request when the component is removed. After the dialog with the
 * impact has been answered it is not requested any more: the change is being saved, and the record may be
 * gone.
 */
export function useAsked(ask: AskImpact) {
  const client = useQueryClient()
  const isOpen = useContext(ConfirmationOpen)
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

/** Query key of an impact; like all previews of an input, it is not invalidated by changes of records. */
const keyOf = (question: number) => ['post', 'price impact', question]
