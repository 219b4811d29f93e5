import Box from '@mui/material/Box'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PriceImpact, PriceImpactStockValue, PriceMoves } from '~/api/schema'
import { useEuro } from '~/features/shared/money/use-euro'
import { useFormat } from '~/i18n/use-format'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { negated } from '~/lib/sum'
import { useConfig } from '~/session/config'
import { usePercent } from './use-percent'

/** Maximum number of customers that are listed by name. */
const MAX_NAMES = 8

/** Figures of an impact; optional ones are left out if they are zero. */
export function ImpactFigures({ impact }: { impact: PriceImpact }) {
  const { t } = useTranslation('priceImpact')
  const { decimal } = useFormat()
  const { below_internal_before: before, below_internal_after: after } = impact
  const isWorse = after > before
  const params = { before: decimal(before), after: decimal(after) }
  return (
    <Box
      component="dl"
      sx={{ m: 0, display: 'grid', gap: 1, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 210px), 1fr))', flexShrink: 0 }}
    >
      <Figure label={t('figures.articles')}>
        {t('figures.of', { part: decimal(impact.articles_touched), all: decimal(impact.articles_examined) })}
      </Figure>
      <Moves label={t('figures.up')} moves={impact.up} />
      <Moves label={t('figures.down')} moves={impact.down} falling />
      {impact.articles_appearing > 0 && <Figure label={t('figures.appearing')}>{decimal(impact.articles_appearing)}</Figure>}
      {impact.articles_vanishing > 0 && (
        <Figure label={t('figures.vanishing')} warns>
          {decimal(impact.articles_vanishing)}
        </Figure>
      )}
      <Figure label={t('figures.below')} warns={isWorse} description={isWorse && t('figures.grown')}>
        <span aria-hidden>{t('figures.beforeAfter', params)}</span>
        <span style={visuallyHidden}>{t('figures.beforeAfterSpoken', params)}</span>
      </Figure>
      {impact.stock_value && impact.articles_touched > 0 && <StockValue value={impact.stock_value} at={impact.at} />}
      <Figure label={t('figures.customers')} description={<Names customers={impact.customers} />}>
        {impact.customers.count === 0 ? t('figures.nobody') : decimal(impact.customers.count)}
      </Figure>
      {impact.held > 0 && (
        <Figure label={t('figures.held')} warns>
          {t('figures.number', { count: impact.held, number: decimal(impact.held) })}
        </Figure>
      )}
    </Box>
  )
}

function Moves({ label, moves, falling = false }: { label: string; moves: PriceMoves; falling?: boolean }) {
  const { t } = useTranslation('priceImpact')
  const { decimal } = useFormat()
  const percent = usePercent()
  if (moves.prices === 0) return null
  const signed = (value: string) => percent(falling ? negated(value) : value)
  const { median_percent: median, largest_percent: largest } = moves
  const percentages = median !== null && largest !== null && t('figures.moves', { median: signed(median), largest: signed(largest) })
  return (
    <Figure label={label} description={percentages}>
      {t('figures.number', { count: moves.prices, number: decimal(moves.prices) })}
    </Figure>
  )
}

/**
 * Value of the stock on hand of the changed articles before and after. `at` is the time that is assumed
 * unless another one is shown.
 */
function StockValue({ value, at }: { value: PriceImpactStockValue; at: string }) {
  const { t } = useTranslation('priceImpact')
  const { decimal, weekdayDate } = useFormat()
  const { time_zone } = useConfig()
  const euro = useEuro()
  const percent = usePercent()
  const { stocks, without_price: withoutPrice } = value
  if (stocks === 0) return <Figure label={t('stock.label')}>{t('stock.none')}</Figure>
  const params = { before: euro(value.before), after: euro(value.after) }
  const details = [
    value.percent === null
      ? euro(value.change, { signed: true })
      : t('stock.change', { change: euro(value.change, { signed: true }), percent: percent(value.percent) }),
    t('stock.basis', { count: stocks, number: decimal(stocks), buyer: value.buyer?.company ?? t('anybody') }),
    value.at !== at && weekdayDate(value.at, time_zone),
    withoutPrice > 0 && t('stock.withoutPrice', { count: withoutPrice, number: decimal(withoutPrice) }),
    !value.complete && t('stock.incomplete'),
  ]
  return (
    <Figure label={t('stock.label')} description={details.filter(Boolean).join('; ')}>
      <span aria-hidden>{t('figures.beforeAfter', params)}</span>
      <span style={visuallyHidden}>{t('figures.beforeAfterSpoken', params)}</span>
    </Figure>
  )
}

function Names({ customers: { count, named } }: { customers: PriceImpact['customers'] }) {
  const { t } = useTranslation('priceImpact')
  const { decimal } = useFormat()
  const listed = named.slice(0, MAX_NAMES)
  if (listed.length === 0) return null
  const more = count - listed.length
  return (
    <>
      {listed.map(({ company }) => company).join(', ')}
      {more > 0 && ` ${t('figures.more', { number: decimal(more) })}`}
    </>
  )
}

interface FigureProps {
  label: string
  /** True if the figure needs attention; shown by more than colour. */
  warns?: boolean
  /** Content below the figure. */
  description?: ReactNode
  children: ReactNode
}

function Figure({ label, warns = false, description, children }: FigureProps) {
  return (
    <Box sx={{ border: 1, borderColor: warns ? 'warning.main' : 'divider', borderRadius: 1, px: 1.5, py: 1, minWidth: 0 }}>
      <Box component="dt" sx={{ typography: 'body2', color: 'text.secondary' }}>
        {label}
      </Box>
      <Box component="dd" sx={{ m: 0, fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.75, '& svg': { color: 'warning.main', flexShrink: 0 } }}>
          {warns && <TriangleAlert size={16} aria-hidden />}
          <span>{children}</span>
        </Box>
        {description && <Box sx={{ typography: 'body2', color: 'text.secondary', overflowWrap: 'anywhere' }}>{description}</Box>}
      </Box>
    </Box>
  )
}
