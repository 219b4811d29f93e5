import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AvailabilityResult } from '~/api/schema'
import { useRights } from '~/session/me'
import { useTenant } from '~/session/tenant'
import { availability, type CalculatedQuote } from './api'
import type { QuoteRequest } from './cart'

/**
 * Availability of a cart's lines by the keys of the form's lines. It is requested after the quote, so that
 * the quote never waits for it.
 */
export function useAvailability(
  quoteRequest: QuoteRequest | null,
  quoted: CalculatedQuote | null,
  isOutdated: boolean,
): ReadonlyMap<string, AvailabilityResult> {
  const rights = useRights()
  const { tenantId, mayChoose } = useTenant()
  const request = useMemo(() => {
    const [cart] = quoteRequest?.body.carts ?? []
    if (!cart || !quoted || isOutdated) return null
    const keys: string[] = []
    const lines = cart.lines.flatMap((line, at) => {
      const key = quoteRequest?.keys[at] ?? ''
      const number = quoted.lines.get(key)?.article?.article_number
      if (!number) return []
      keys.push(key)
      const { quantity, unit, warehouse_id, warehouse_short_code } = line
      return [{ article_number: number, quantity, unit: unit ?? null, warehouse_id, warehouse_short_code }]
    })
    return lines.length > 0 ? { keys, seller_id: cart.seller_id ?? null, lines } : null
  }, [quoteRequest, quoted, isOutdated])
  const { data } = useQuery({
    ...availability(request?.seller_id ?? null, request?.lines ?? [], mayChoose ? tenantId : null),
    enabled: request !== null && rights.has('stock.list'),
  })
  return useMemo(() => new Map(data?.map((result) => [request?.keys[result.index] ?? '', result])), [data, request])
}
