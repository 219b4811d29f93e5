import { useMemo } from 'react'
import type { Margin, Money } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'

/** Figures beside a price, as cells show them. */
export function useFigureTexts() {
  const { decimal, date } = useFormat()
  return useMemo(
    () => ({
      margin: (margin: Margin | null | undefined) => (margin?.percent ? `${decimal(margin.percent, 1)} %` : ''),
      /** The price of a tonne; empty where the price itself is for tonnes. */
      perTonne: (price: Money | null, tonne: string | null | undefined) => (tonne == null || price?.unit === 't' ? '' : decimal(tonne, 2)),
      day: (moment: string) => date(moment),
    }),
    [decimal, date],
  )
}
