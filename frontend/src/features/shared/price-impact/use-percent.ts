import { useFormat } from '~/i18n/use-format'
import { formatDecimal } from '~/lib/decimal'

/** A change in percent with its sign, `−3,00 %`: those of a column have their points below each other. */
export function usePercent(): (percent: string) => string {
  const { lang } = useFormat()
  return (percent) => {
    const text = `${formatDecimal(percent, lang, 2, true, 2)}\u00a0%`
    return text.startsWith('-') ? text.replace('-', '\u2212') : Number(percent) > 0 ? `+${text}` : text
  }
}
