import audit from '~/features/audit/screens'
import articleTypeGroups from '~/features/catalog/article-type-groups/screens'
import articleTypes from '~/features/catalog/article-types/screens'
import articles from '~/features/catalog/articles/screens'
import attributes from '~/features/catalog/attributes/screens'
import categories from '~/features/catalog/categories/screens'
import materials from '~/features/catalog/materials/screens'
import processings from '~/features/catalog/processings/screens'
import tradeDimensions from '~/features/catalog/trade-dimensions/screens'
import importProfiles from '~/features/exchange/import-profiles/screens'
import imports from '~/features/exchange/imports/screens'
import matchings from '~/features/exchange/matchings/screens'
import unresolvedNumbers from '~/features/exchange/unresolved-numbers/screens'
import webhooks from '~/features/exchange/webhooks/screens'
import roles from '~/features/identity/roles/screens'
import tenantGroups from '~/features/identity/tenant-groups/screens'
import tenants from '~/features/identity/tenants/screens'
import tokens from '~/features/identity/tokens/screens'
import users from '~/features/identity/users/screens'
import shippingLegs from '~/features/logistics/shipping-legs/screens'
import shippingNodes from '~/features/logistics/shipping-nodes/screens'
import stocks from '~/features/logistics/stocks/screens'
import warehouses from '~/features/logistics/warehouses/screens'
import heldPrices from '~/features/pricing/held-prices/screens'
import priceAdjustments from '~/features/pricing/price-adjustments/screens'
import priceLists from '~/features/pricing/price-lists/screens'
import prices from '~/features/pricing/prices/screens'
import processingPrices from '~/features/pricing/processing-prices/screens'
import sampleCarts from '~/features/pricing/sample-carts/screens'
import surchargeTables from '~/features/pricing/surcharge-tables/screens'
import type { Resource } from '~/kit/records/resource'

/** All resources, in the order of the navigation. */
export const resources = [
  attributes,
  materials,
  tradeDimensions,
  articleTypes,
  articleTypeGroups,
  articles,
  processings,
  categories,
  stocks,
  prices,
  heldPrices,
  priceLists,
  priceAdjustments,
  surchargeTables,
  processingPrices,
  sampleCarts,
  warehouses,
  imports,
  importProfiles,
  matchings,
  unresolvedNumbers,
  webhooks,
  shippingNodes,
  shippingLegs,
  tenants,
  tenantGroups,
  tokens,
  users,
  roles,
  audit,
] as const satisfies readonly Resource[]
