import { externalApisItem } from '~/features/exchange/external-apis/screen'
import { feedsItem } from '~/features/exchange/feeds/screen'
import { ftpSettingsItem } from '~/features/exchange/ftp-settings/screen'
import { deliveryDate } from '~/features/logistics/delivery-date/screen'
import { operationItem } from '~/features/operation/screen'
import { partners } from '~/features/pricing/partners/screen'
import { conditionsDemo } from '~/features/pricing/price-adjustments/demo/screen'
import { priceCalculator } from '~/features/pricing/price-calculator/screen'
import { type MenuGroup, menuOf } from '~/kit/shell/menu'
import { gallery } from './gallery/screen'
import { resources } from './resources'

/** Navigation menu; guards and breadcrumbs use it too. */
export const menu: readonly MenuGroup[] = menuOf(
  ['masterData', 'stock', 'prices', 'logistics', 'exchange', 'administration', 'userManagement', 'demo'],
  resources,
  [priceCalculator, partners, deliveryDate, feedsItem, ftpSettingsItem, externalApisItem, operationItem, conditionsDemo, gallery],
)
