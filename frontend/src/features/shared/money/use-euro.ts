import { useMemo } from 'react'
import { useFormat } from '~/i18n/use-format'
import { formatDecimal } from '~/lib/decimal'

interface Options {
  /** Maximum number of decimal places; at least two are shown. */
  places?: number
  /** True if positive amounts have a sign, too. */
  signed?: boolean
}

/** Formats an amount of money: `−1.234,50 €`. */
export function useEuro(): (amount: string, options?: Options) => string {
  const { lang } = useFormat()
  return useMemo(
    () =>
      (amount, { places = 2, signed = false } = {}) => {
        const text = `${formatDecimal(amount, lang, places, true, 2)}\u00a0€`
        return text.startsWith('-') ? text.replace('-', '\u2212') : signed && Number(amount) > 0 ? `+${text}` : text
      },
    [lang],
  )
}
