import { useTranslation } from 'react-i18next'
import type { LengthRange } from './length-ranges'
import { useLengthText } from './use-length-text'

/** A range in words. */
export function useRangeText(): (range: LengthRange) => string {
  const { t } = useTranslation('tradeDimensions')
  const show = useLengthText()
  return ({ name, from, to, charged }) => {
    const parts = { name, from: show(from ?? 0), to: show(to ?? 0), charged: charged === null ? '–' : show(charged) }
    if (from === null && to === null) return t('line.all', parts)
    if (from === null) return t('line.upTo', parts)
    return to === null ? t('line.from', parts) : t('line.between', parts)
  }
}
