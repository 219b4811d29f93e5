import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Quote, QuoteLine, QuoteMargin } from '~/api/schema'
import { useEuro } from '~/features/shared/money/use-euro'
import { useFormat } from '~/i18n/use-format'
import { Notice } from '~/kit/ui/notice'
import { negated, sumDecimals } from '~/lib/sum'
import { useConfig } from '~/session/config'
import { useForeignZone } from './foreign-zone'

export function useAmounts() {
  const { t } = useTranslation('priceCalculator')
  const { decimal } = useFormat()
  const euro = useEuro()
  const margin = ({ amount, percent }: QuoteMargin) =>
    percent === null ? euro(amount) : t('margin', { amount: euro(amount), percent: decimal(percent, 2).replace('-', '\u2212') })
  return { euro, margin }
}

/** Seller's cost and margin, if the server includes them. */
export function CostAndMargin({ line: { internal, margin } }: { line: Pick<QuoteLine, 'internal' | 'margin'> }) {
  const { t } = useTranslation('priceCalculator')
  const amounts = useAmounts()
  if (internal === null) return null
  return (
    <Box component="span" sx={{ typography: 'body2', color: 'text.secondary' }}>
      {t('result.internal', { amount: amounts.euro(internal) })}
      {margin && (
        <>
          {' · '}
          <Box component="span" sx={{ color: margin.amount.startsWith('-') ? 'error.main' : 'inherit' }}>
            {t('result.margin', { margin: amounts.margin(margin) })}
          </Box>
        </>
      )}
    </Box>
  )
}

/** Totals of the cart. */
export function Totals({ quote, outdated }: { quote: Quote; outdated: boolean }) {
  const { t } = useTranslation('priceCalculator')
  const { decimal, weekdayTime } = useFormat()
  const { time_zone } = useConfig()
  const zone = useForeignZone()
  const { euro, margin } = useAmounts()
  const refused = quote.lines.filter(({ errors }) => errors.length > 0).length
  const items = quote.lines.flatMap((line) => line.items)
  const adjustments = sumDecimals([quote.total, negated(quote.base)])
  return (
    <Box
      aria-busy={outdated}
      sx={{ display: 'grid', gap: 2, opacity: outdated ? 0.55 : 1, transition: outdated ? 'opacity 150ms 300ms' : 'none' }}
    >
      {refused > 0 && <Notice tone="warning">{t('result.refused', { count: refused })}</Notice>}
      {items.length > 0 && (
        <Box
          component="dl"
          sx={{ m: 0, display: 'grid', gridTemplateColumns: '1fr auto', rowGap: 0.75, columnGap: 3, maxWidth: 520, ml: 'auto' }}
        >
          {adjustments !== '0' && (
            <>
              <Entry label={t('result.base')}>{euro(quote.base)}</Entry>
              <Entry label={t('result.adjusted')}>{euro(adjustments)}</Entry>
            </>
          )}
          <Entry
            label={t('result.total')}
            help={quote.rounding === '0' ? '' : t('result.rounding', { sum: euro(sumDecimals(items.map(({ total }) => total))) })}
            strong
          >
            <Box component="span" role="status">
              <Typography component="span" variant="h2">
                {euro(quote.total)}
              </Typography>
            </Box>
          </Entry>
          <Entry label={t('result.weight')}>{`${decimal(quote.weight, 3)}\u00a0kg`}</Entry>
          {quote.margin && <Entry label={t('result.cartMargin')}>{margin(quote.margin)}</Entry>}
        </Box>
      )}
      <Typography variant="body2" color="textSecondary" sx={{ textAlign: 'right' }}>
        {t('result.at', { when: `${weekdayTime(quote.at, time_zone)}${zone}` })}
      </Typography>
    </Box>
  )
}

function Entry({ label, help, strong = false, children }: { label: string; help?: string; strong?: boolean; children: ReactNode }) {
  return (
    <>
      <Box component="dt" sx={{ color: strong ? 'text.primary' : 'text.secondary', fontWeight: strong ? 600 : 400, alignSelf: 'end' }}>
        {label}
        {help && (
          <Box component="span" sx={{ display: 'block', typography: 'caption', color: 'text.secondary' }}>
            {help}
          </Box>
        )}
      </Box>
      <Box component="dd" sx={{ m: 0, textAlign: 'right', fontVariantNumeric: 'tabular-nums', alignSelf: 'end' }}>
        {children}
      </Box>
    </>
  )
}
