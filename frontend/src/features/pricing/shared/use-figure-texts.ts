import { useMemo } from 'react'
import type { Margin, Money } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'

/** Formats figures that cells show beside a price. */
export function useFigureTexts() {
  const { decimal, date } = useFormat()
  return useMemo(
    () => ({
      margin: (margin: Margin | null | undefined) => (margin?.percent ? `${decimal(margin.percent, 1)} %` : ''),
      /** Price for a tonne; empty if the price itself is for tonnes. */
      perTonne: (price: Money | null, tonne: string | null | undefined) => (tonne == null || price?.unit === 't' ? '' : decimal(tonne, 2)),
      day: (moment: string) => date(moment),
    }),
    [decimal, date],
  )
}
