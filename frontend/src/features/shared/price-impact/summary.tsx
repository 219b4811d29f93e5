import Typography from '@mui/material/Typography'
import { useTranslation } from 'react-i18next'
import type { PriceImpact } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { negated } from '~/lib/sum'
import { totalChanges } from './total-changes'
import { useExaminedText } from './use-examined-text'
import { usePercent } from './use-percent'

/** Summary of an impact in one sentence, followed by what was examined. */
export function Summary({ impact }: { impact: PriceImpact }) {
  const impactText = useImpactText()
  const examined = useExaminedText()
  return (
    <div>
      <Typography sx={{ fontWeight: 550, textWrap: 'pretty' }} role="status">
        {impactText(impact)}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5, textWrap: 'pretty' }}>
        {examined(impact)}
      </Typography>
    </div>
  )
}

export function useImpactText(): (impact: PriceImpact) => string {
  const { t } = useTranslation('priceImpact')
  const { decimal } = useFormat()
  const percent = usePercent()
  return ({ articles_touched: touched, articles_examined: all, up, down, sample_carts: carts }) => {
    if (touched === 0) {
      if (carts?.some(totalChanges)) return t('summary.cartsOnly')
      return t(all === 0 ? 'summary.noArticles' : 'summary.nothing')
    }
    const counts = { count: touched, touched: decimal(touched), all: decimal(all) }
    const rising =
      up.largest_percent && up.median_percent ? { most: percent(up.largest_percent), median: percent(up.median_percent) } : null
    const falling =
      down.largest_percent && down.median_percent
        ? { most: percent(negated(down.largest_percent)), median: percent(negated(down.median_percent)) }
        : null
    if (rising && falling) return t('summary.both', { ...counts, up: rising.most, down: falling.most })
    const one = rising ?? falling
    return one ? t('summary.one', { ...counts, median: one.median, largest: one.most }) : t('summary.plain', counts)
  }
}
