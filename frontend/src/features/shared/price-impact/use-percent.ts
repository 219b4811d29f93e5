import { useFormat } from '~/i18n/use-format'
import { formatDecimal } from '~/lib/decimal'

/**
 * A change in percent with its sign, `−3,00 %`: those of a column have their points below each other. `places` is
 * the most that are shown; without it there are two.
 */
export function usePercent(): (percent: string, places?: number) => string {
  const { lang } = useFormat()
  return (percent, places) => {
    const text = `${formatDecimal(percent, lang, places ?? 2, true, places === undefined ? 2 : 0)}\u00a0%`
    return text.startsWith('-') ? text.replace('-', '\u2212') : Number(percent) > 0 ? `+${text}` : text
  }
}
