import type { ReactNode } from 'react'
import type { PriceList } from '~/api/schema'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { Impact, useMaySeeImpact } from '~/features/shared/price-impact/use-impact'

/** The impact of a list's deletion, for the question before it. */
export function useDeletionImpact(): (row: PriceList) => ReactNode {
  const sees = useMaySeeImpact('price_list')
  return ({ id, own }) => sees && own && <Impact ask={impactOf.list(id, { delete: true })} />
}
