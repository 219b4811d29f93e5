import { useMemo } from 'react'
import type { BulkPrice, Money, Unit } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useMoneyText } from '~/features/shared/money/use-money-text'
import { useFormat } from '~/i18n/use-format'
import { compareDecimals } from '~/lib/decimal'

/** Formats the tiers of a price briefly. */
export type TiersText = (tiers: readonly BulkPrice[], price: Money | null) => string

const hasSameUnit = (tier: BulkPrice, price: Money | null) =>
  price !== null && tier.unit === price.unit && compareDecimals(tier.price_quantity ?? '1', price.price_quantity) === 0

/**
 * Formats tiers as `≥ 10 t: 830 · ≥ 25 t: 815`; the dialog shows the details. A tier with a different
 * quantity or unit than the price includes them: `≥ 10 t: 83,00 € / 100 kg`.
 */
export function useTiersText(): TiersText {
  const { decimal } = useFormat()
  const symbol = useUnitSymbols()
  const money = useMoneyText()
  return useMemo(() => {
    const unitOf = (unit: Unit | null | undefined) => (unit ? symbol(unit) : '')
    const amount = (tier: BulkPrice, price: Money | null) =>
      hasSameUnit(tier, price) ? decimal(tier.price) : money({ ...tier, price_quantity: tier.price_quantity ?? '1' })
    return (tiers, price) =>
      tiers
        .map((tier) => `\u2265\u00a0${decimal(tier.quantity_from)}\u00a0${unitOf(tier.quantity_unit)}: ${amount(tier, price)}`)
        .join(' · ')
  }, [decimal, symbol, money])
}
