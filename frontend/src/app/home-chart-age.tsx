import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { $api } from '~/api/client'
import { useFormat } from '~/i18n/use-format'
import { addDays, today } from '~/lib/days'
import { ChartCard, StackedBars } from './home-chart-card'

/** Ages in days from which a figure counts as ageing and as old, like the lights of the lists. */
const FRESH = 7
const OLD = 30

const stocksSince = (day: string | null) =>
  $api.queryOptions('get', '/api/admin/stocks', {
    params: { query: { 'page[size]': 1, ...(day && { filter: { 'filter[known_at_greater_equals]': day } }) } },
  })
const pricesSince = (day: string | null) =>
  $api.queryOptions('get', '/api/admin/prices', {
    params: { query: { 'page[size]': 1, filter: { 'filter[priced]': true, ...(day && { 'filter[updated_at_greater_equals]': day }) } } },
  })

/** Age of stocks and prices: fresh, some weeks old, or older than a month. */
export function AgeChart({ stocks, prices }: { stocks: boolean; prices: boolean }) {
  const { t } = useTranslation('home')
  const format = useFormat()
  const [[week, month]] = useState(() => [FRESH, OLD].map((days) => `${addDays(today(), -days)}T00:00:00Z`) as [string, string])
  const startDays = [null, month, week] as const
  const stockQueries = useQueries({ queries: startDays.map((day) => ({ ...stocksSince(day), enabled: stocks })) })
  const priceQueries = useQueries({ queries: startDays.map((day) => ({ ...pricesSince(day), enabled: prices })) })
  const counts = (answers: readonly { data?: { meta: { total: number } } | undefined }[]) => {
    const [all, recent, fresh] = answers.map(({ data }) => data?.meta.total)
    return all === undefined || recent === undefined || fresh === undefined || all === 0 ? null : [fresh, recent - fresh, all - recent]
  }
  const series = [
    { name: t('charts.age.stocks'), counts: counts(stockQueries) },
    { name: t('charts.age.prices'), counts: counts(priceQueries) },
  ].flatMap((bar) => (bar.counts ? [{ ...bar, counts: bar.counts }] : []))
  const names = [
    t('charts.age.fresh', { days: FRESH }),
    t('charts.age.recent', { fresh: FRESH, days: OLD }),
    t('charts.age.old', { days: OLD }),
  ]
  const colors = ['success.main', 'warning.main', 'error.main']
  return (
    <ChartCard
      title={t('charts.age.title')}
      intro={t('charts.age.intro')}
      heads={[t('charts.age.what'), ...names]}
      rows={series.map(({ name, counts }) => [name, ...counts.map((count) => format.decimal(count))])}
      none={t('charts.age.none')}
      loading={[...stockQueries, ...priceQueries].some(({ isLoading }) => isLoading)}
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
