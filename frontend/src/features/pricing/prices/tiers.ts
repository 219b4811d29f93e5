import type { Price } from '~/api/schema'
import { type TierForm, tierForm, tiersSchema as tiers } from '~/features/pricing/shared/tier'
import { z } from '~/kit/form/schema'
import type { TierList } from './sheet'

export const stockTiersSchema = z.object({ external_bulk_prices: tiers(), internal_bulk_prices: tiers() })
export type TiersBody = z.output<typeof stockTiersSchema>
export type TiersForm = Record<TierList, TierForm[]>

export const toTiersForm = ({ article, external_bulk_prices, internal_bulk_prices }: Price): TiersForm => ({
  external_bulk_prices: external_bulk_prices.map((tier) => tierForm(tier, article.listing_unit)),
  internal_bulk_prices: internal_bulk_prices.map((tier) => tierForm(tier, article.listing_unit)),
})
