import { useMemo } from 'react'
import type { Money } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useFormat } from '~/i18n/use-format'
import { formatDecimal } from '~/lib/decimal'

/** Formats a price: `85,00 € / 100 kg`, `850,00 € / t`. */
export function useMoneyText(): (money: Money) => string {
  const { lang, decimal } = useFormat()
  const symbol = useUnitSymbols()
  return useMemo(
    () =>
      ({ price, price_quantity, unit }) => {
        const per = price_quantity === '1' ? symbol(unit) : `${decimal(price_quantity)}\u00a0${symbol(unit)}`
        return `${formatDecimal(price, lang, 4, true, 2)}\u00a0€\u00a0/\u00a0${per}`
      },
    [lang, decimal, symbol],
  )
}
