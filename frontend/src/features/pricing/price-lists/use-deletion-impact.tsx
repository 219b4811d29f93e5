import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PriceList } from '~/api/schema'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { Impact, useMaySeeImpact } from '~/features/shared/price-impact/use-impact'
import { useFormat } from '~/i18n/use-format'
import type { ListState } from '~/kit/table/list-state'
import type { BulkSelection } from '~/kit/table/selection/use-selection'
import { useTenant } from '~/session/tenant'
import { priceLists } from './api'

/** The number of prices that go with a list, and the impact of its deletion, for the question before it. */
export function useDeletionImpact(): (row: PriceList) => ReactNode {
  const { t } = useTranslation('priceLists')
  const { decimal } = useFormat()
  const sees = useMaySeeImpact('price_list')
  return ({ id, own, price_count }) => (
    <>
      <Typography>{t('deletion.prices', { count: price_count, number: decimal(price_count) })}</Typography>
      {sees && own && <Impact ask={impactOf.list(id, { delete: true })} />}
    </>
  )
}

/** The impact of deleting many lists on the prices of the tenant that is acted for. */
export function useBulkDeletionImpact(): (state: ListState, selection: BulkSelection) => ReactNode {
  const sees = useMaySeeImpact('price_list')
  const { tenantId } = useTenant()
  return (state, selection) => sees && tenantId !== null && <Impact ask={priceLists.deletions(state, selection)} />
}
