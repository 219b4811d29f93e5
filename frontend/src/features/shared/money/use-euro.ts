import { useMemo } from 'react'
import { useFormat } from '~/i18n/use-format'
import { formatDecimal } from '~/lib/decimal'

interface Options {
  /** At most so many, at least two. */
  places?: number
  /** Also where it is more than nothing. */
  signed?: boolean
}

/** An amount of money as people write it, `−1.234,50 €`. */
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
