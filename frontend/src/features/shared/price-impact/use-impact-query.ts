import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useContext, useEffect, useState } from 'react'
import { ConfirmationOpen } from '~/kit/ui/confirmation-open'
import type { ImpactRequest } from './impact-calls'

let lastRequestId = 0

/**
 * Requests an impact once and aborts the request when the component is removed. After the dialog with the
 * impact has been answered it is not requested any more: the change is being saved, and the record may be
 * gone.
 */
export function useImpactQuery(request: ImpactRequest) {
  const client = useQueryClient()
  const isOpen = useContext(ConfirmationOpen)
  const [requestId] = useState(() => ++lastRequestId)
  useEffect(() => {
    if (!isOpen) void client.cancelQueries({ queryKey: keyOf(requestId) })
  }, [client, isOpen, requestId])
  return useQuery({
    queryKey: keyOf(requestId),
    queryFn: ({ signal }) => request(signal),
    enabled: isOpen,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
  })
}

/** Query key of an impact; like all previews of an input, it is not invalidated by changes of records. */
const keyOf = (requestId: number) => ['post', 'price impact', requestId]
