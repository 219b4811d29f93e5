import type { ReactNode } from 'react'
import type { PriceList } from '~/api/schema'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { Impact, useMaySeeImpact } from '~/features/shared/price-impact/use-impact'
import type { ListState } from '~/kit/table/list-state'
import type { BulkSelection } from '~/kit/table/selection/use-selection'
import { useTenant } from '~/session/tenant'
import { priceLists } from './api'

/** The impact of a list's deletion, for the question before it. */
export function useDeletionImpact(): (row: PriceList) => ReactNode {
  const sees = useMaySeeImpact('price_list')
  return ({ id, own }) => sees && own && <Impact ask={impactOf.list(id, { delete: true })} />
}

/** The impact of deleting many lists on the prices of the tenant that is acted for. */
export function useBulkDeletionImpact(): (state: ListState, selection: BulkSelection) => ReactNode {
  const sees = useMaySeeImpact('price_list')
  const { tenantId } = useTenant()
  return (state, selection) => sees && tenantId !== null && <Impact ask={priceLists.deletions(state, selection)} />
}
