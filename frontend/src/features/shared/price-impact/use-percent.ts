import { useFormat } from '~/i18n/use-format'
import { formatDecimal } from '~/lib/decimal'

/**
 * Formats a change in percent with its sign, `−3,00 %`, so that decimal points in a column are aligned.
 * `places` is the maximum number of decimal places; without it there are two.
 */
export function usePercent(): (percent: string, places?: number) => string {
  const { lang } = useFormat()
  return (percent, places) => {
    const text = `${formatDecimal(percent, lang, places ?? 2, true, places === undefined ? 2 : 0)}\u00a0%`
    return text.startsWith('-') ? text.replace('-', '\u2212') : Number(percent) > 0 ? `+${text}` : text
  }
}
