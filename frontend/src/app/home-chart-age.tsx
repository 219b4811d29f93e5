import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { $api } from '~/api/client'
import { useFormat } from '~/i18n/use-format'
import { dayStart } from '~/lib/dates'
import { addDays, today } from '~/lib/days'
import { ChartCard, StackedBars } from './home-chart-card'

/**
 * Ages in days up to which a stock or price counts as fresh, and as ageing: the same as in
 * features/logistics/stocks/age, which is not imported, since the form of a stock would load one file more.
 */
const FRESH_DAYS = 7
const AGEING_DAYS = 30

const stocksSince = (day: string | null) =>
  $api.queryOptions('get', '/api/admin/stocks', {
    params: { query: { 'page[size]': 1, ...(day && { filter: { 'filter[known_at_greater_equals]': day } }) } },
  })
const pricesSince = (day: string | null) =>
  $api.queryOptions('get', '/api/admin/prices', {
    params: { query: { 'page[size]': 1, filter: { 'filter[priced]': true, ...(day && { 'filter[updated_at_greater_equals]': day }) } } },
  })

/** Age of stocks and prices: fresh, some weeks old, or older than a month. */
export function AgeChart({ showsStocks, showsPrices }: { showsStocks: boolean; showsPrices: boolean }) {
  const { t } = useTranslation('home')
  const format = useFormat()
  const [[week, month]] = useState(() => [FRESH_DAYS, AGEING_DAYS].map((days) => dayStart(addDays(today(), -days))) as [string, string])
  const startDays = [null, month, week] as const
  const stockQueries = useQueries({ queries: startDays.map((day) => ({ ...stocksSince(day), enabled: showsStocks })) })
  const priceQueries = useQueries({ queries: startDays.map((day) => ({ ...pricesSince(day), enabled: showsPrices })) })
  const countByAge = (answers: readonly { data?: { meta: { total: number } } | undefined }[]) => {
    const [all, sinceMonth, fresh] = answers.map(({ data }) => data?.meta.total)
    return all === undefined || sinceMonth === undefined || fresh === undefined || all === 0
      ? null
      : [fresh, sinceMonth - fresh, all - sinceMonth]
  }
  const series = [
    { name: t('charts.age.stocks'), counts: countByAge(stockQueries) },
    { name: t('charts.age.prices'), counts: countByAge(priceQueries) },
  ].flatMap((bar) => (bar.counts ? [{ ...bar, counts: bar.counts }] : []))
  const names = [
    t('charts.age.fresh', { days: FRESH_DAYS }),
    t('charts.age.recent', { fresh: FRESH_DAYS, days: AGEING_DAYS }),
    t('charts.age.old', { days: AGEING_DAYS }),
  ]
  const colors = ['success.main', 'warning.main', 'error.main']
  return (
    <ChartCard
      title={t('charts.age.title')}
      intro={t('charts.age.intro')}
      heads={[t('charts.age.what'), ...names]}
      rows={series.map(({ name, counts }) => [name, ...counts.map((count) => format.decimal(count))])}
      none={t('charts.age.none')}
      queries={[...stockQueries, ...priceQueries]}
    >
      <StackedBars
        bars={series.map(({ name, counts }) => ({
          name,
          parts: counts.map((value, at) => ({ name: names[at] ?? '', value, color: colors[at] ?? '', pattern: at === 2 })),
        }))}
      />
    </ChartCard>
  )
}
