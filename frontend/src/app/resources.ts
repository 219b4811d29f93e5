import articleTypeGroups from '~/features/article-type-groups/screens'
import articleTypes from '~/features/article-types/screens'
import articles from '~/features/articles/screens'
import attributes from '~/features/attributes/screens'
import audit from '~/features/audit/screens'
import categories from '~/features/categories/screens'
import heldPrices from '~/features/held-prices/screens'
import imports from '~/features/imports/screens'
import matchings from '~/features/matchings/screens'
import materials from '~/features/materials/screens'
import priceAdjustments from '~/features/price-adjustments/screens'
import priceLists from '~/features/price-lists/screens'
import prices from '~/features/prices/screens'
import processingPrices from '~/features/processing-prices/screens'
import processings from '~/features/processings/screens'
import roles from '~/features/roles/screens'
import sampleCarts from '~/features/sample-carts/screens'
import stocks from '~/features/stocks/screens'
import surchargeTables from '~/features/surcharge-tables/screens'
import tenantGroups from '~/features/tenant-groups/screens'
import tenants from '~/features/tenants/screens'
import tokens from '~/features/tokens/screens'
import tradeDimensions from '~/features/trade-dimensions/screens'
import unresolvedNumbers from '~/features/unresolved-numbers/screens'
import users from '~/features/users/screens'
import warehouses from '~/features/warehouses/screens'
import type { Resource } from '~/kit/resource/resource'

/** All resources, in the order in which the navigation has them. */
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
  matchings,
  unresolvedNumbers,
  tenants,
  tenantGroups,
  imports,
  tokens,
  users,
  roles,
  audit,
] as const satisfies readonly Resource[]
