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

/** Number of prices that are deleted with a list and the impact on other prices, for the confirmation. */
export function useDeletionImpact(): (row: PriceList) => ReactNode {
  const { t } = useTranslation('priceLists')
  const { decimal } = useFormat()
  const seesImpact = useMaySeeImpact('price_list')
  return ({ id, own, price_count }) => (
    <>
      <Typography>{t('deletion.prices', { count: price_count, number: decimal(price_count) })}</Typography>
      {seesImpact && own && <Impact request={impactOf.list(id, { delete: true })} />}
    </>
  )
}

/** Impact of deleting many lists on the prices of the tenant that the user acts for. */
export function useBulkDeletionImpact(): (state: ListState, selection: BulkSelection) => ReactNode {
  const seesImpact = useMaySeeImpact('price_list')
  const { tenantId } = useTenant()
  return (state, selection) => seesImpact && tenantId !== null && <Impact request={priceLists.deletions(state, selection)} />
}
