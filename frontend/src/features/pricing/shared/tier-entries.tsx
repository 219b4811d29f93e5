import { useUnitSymbols } from '~/api/units'
import { useMoneyText } from '~/features/shared/money/use-money-text'
import { useFormat } from '~/i18n/use-format'
import type { ListEntryOptions } from '~/kit/form/form-context'
import type { TierForm } from './tier'

/** Comparison of the tiers of two versions of a price, by their starting quantity. */
export const tierEntries: ListEntryOptions<TierForm> = {
  key: ({ quantity_from, quantity_unit }) => (quantity_from === '' ? null : `${quantity_from}${quantity_unit}`),
  title: (tier) => <TierStart tier={tier} />,
  text: (tier) => <TierPrice tier={tier} />,
}

function TierStart({ tier: { quantity_from, quantity_unit } }: { tier: TierForm }) {
  const { decimal } = useFormat()
  const symbol = useUnitSymbols()
  return `\u2265\u00a0${decimal(quantity_from)}\u00a0${symbol(quantity_unit)}`
}

function TierPrice({ tier }: { tier: TierForm }) {
  const money = useMoneyText()
  return money(tier)
}
