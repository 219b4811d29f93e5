import Box from '@mui/material/Box'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { $api } from '~/api/client'
import type { PriceOverTime, Stock } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useEuro } from '~/features/shared/money/use-euro'
import { useFormat } from '~/i18n/use-format'
import { chartColors } from '~/kit/plot/chart-colors'
import { useWidth } from '~/kit/plot/use-width'
import { CHART_HEIGHT, ChartCard } from './home-chart-card'

const ARTICLES = 3
const DAYS = 180
const DAY = 86_400_000
const DASHES = [undefined, '6 3', '2 3'] as const
const COLORS = [chartColors.primary, chartColors.accent, chartColors.muted] as const

/** Query for the stocks with the largest quantities, from which the leading articles are taken. */
const largestStocks = () =>
  $api.queryOptions('get', '/api/admin/stocks', {
    params: { query: { 'page[size]': 40, sort: '-quantity', filter: { 'filter[availability_type]': ['quantity'] } } },
  })

/** Articles with the greatest weight in stock, among those with a sales price. */
function leadingArticles(stocks: readonly Stock[]): Stock['article'][] {
  const weights = new Map<number, { article: Stock['article']; weight: number }>()
  for (const { article, weight, external_price } of stocks) {
    if (external_price === null) continue
    const sum = (weights.get(article.id)?.weight ?? 0) + Number(weight ?? 0)
    weights.set(article.id, { article, weight: sum })
  }
  return [...weights.values()]
    .sort((a, b) => b.weight - a.weight)
    .slice(0, ARTICLES)
    .map(({ article }) => article)
}

/** Course of a price in percent of its first value, so that articles with different units are comparable. */
interface Course {
  name: string
  first: string
  last: string
  percent: number
  points: readonly { at: number; value: number }[]
}

function courseOf(name: string, { steps }: PriceOverTime, until: number): Course | null {
  const totalPoints = steps.flatMap(({ from, total }) => (total === null ? [] : [{ at: Date.parse(from), total }]))
  const [first, last] = [totalPoints[0], totalPoints.at(-1)]
  if (!first || !last || !(Number(first.total) > 0)) return null
  const points = totalPoints.map(({ at, total }) => ({ at, value: (Number(total) / Number(first.total)) * 100 }))
  const end = points.at(-1)?.value ?? 100
  return { name, first: first.total, last: last.total, percent: end - 100, points: [...points, { at: until, value: end }] }
}

/** Chart of the leading articles' prices in the last half year. */
export function PriceChart() {
  const { t } = useTranslation('home')
  const format = useFormat()
  const euro = useEuro()
  const symbol = useUnitSymbols()
  const [until] = useState(() => Math.floor(Date.now() / DAY) * DAY)
  const stocks = useQuery(largestStocks())
  const articles = useMemo(() => leadingArticles(stocks.data?.data ?? []), [stocks.data])
  const answers = useQueries({
    queries: articles.map(({ id, listing_unit }) =>
      $api.queryOptions('post', '/api/admin/quotes/over-time', {
        body: {
          article_id: id,
          quantity: '1',
          unit: listing_unit,
          from: new Date(until - DAYS * DAY).toISOString(),
          until: new Date(until).toISOString(),
        },
      }),
    ),
  })
  const courses = articles.flatMap((article, at) => {
    const data = answers[at]?.data
    const course = data && courseOf(`${article.article_number} (${symbol(article.listing_unit)})`, data, until)
    return course ? [course] : []
  })
  const percent = (value: number) => `${value > 0 ? '+' : ''}${format.decimal(value.toFixed(1), 1)} %`
  return (
    <ChartCard
      title={t('charts.prices.title')}
      intro={t('charts.prices.intro', { days: DAYS })}
      heads={[t('charts.prices.article'), t('charts.prices.first'), t('charts.prices.last'), t('charts.prices.change')]}
      rows={courses.map(({ name, first, last, percent: moved }) => [name, euro(first), euro(last), percent(moved)])}
      none={t('charts.prices.none')}
      queries={[stocks, ...answers]}
    >
      <Lines courses={courses} from={until - DAYS * DAY} until={until} percent={percent} />
    </ChartCard>
  )
}

interface LinesProps {
  courses: readonly Course[]
  from: number
  until: number
  percent: (value: number) => string
}

function Lines({ courses, from, until, percent }: LinesProps) {
  const [width, measure] = useWidth()
  const values = courses.flatMap(({ points }) => points.map(({ value }) => value))
  const [low, high] = [Math.min(98, ...values), Math.max(102, ...values)]
  const x = (at: number) => ((Math.max(at, from) - from) / (until - from)) * Math.max(width - 4, 1) + 2
  const y = (value: number) => CHART_HEIGHT - 8 - ((value - low) / (high - low)) * (CHART_HEIGHT - 16)
  const path = ({ points }: Course) =>
    points.map(({ at, value }, place) => (place === 0 ? `M${x(at)},${y(value)}` : `H${x(at)}V${y(value)}`)).join('')
  return (
    <>
      <Box ref={measure}>
        <svg width="100%" height={CHART_HEIGHT} aria-hidden style={{ display: 'block' }}>
          <line x1={0} x2={width} y1={y(100)} y2={y(100)} stroke={chartColors.muted} strokeOpacity={0.4} />
          {courses.map((course, at) => (
            <path key={course.name} d={path(course)} fill="none" stroke={COLORS[at]} strokeWidth={2} strokeDasharray={DASHES[at]} />
          ))}
        </svg>
      </Box>
      <Box component="ul" sx={{ listStyle: 'none', m: 0, mt: 1, p: 0 }}>
        {courses.map((course, at) => (
          <Box component="li" key={course.name} sx={{ display: 'flex', alignItems: 'center', gap: 1, typography: 'caption' }}>
            <svg width={28} height={8} aria-hidden style={{ flexShrink: 0 }}>
              <line x1={0} x2={28} y1={4} y2={4} stroke={COLORS[at]} strokeWidth={2} strokeDasharray={DASHES[at]} />
            </svg>
            <Box component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              {course.name}
            </Box>
            <Box component="span" sx={{ ml: 'auto', whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
              {percent(course.percent)}
            </Box>
          </Box>
        ))}
      </Box>
    </>
  )
}
