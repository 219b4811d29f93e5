import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { $api } from '~/api/client'
import type { Import } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { ChartCard, StackedBars } from './home-chart-card'

const LAST = 8

const lastImports = () =>
  $api.queryOptions('get', '/api/admin/imports', { params: { query: { 'page[size]': 2 * LAST, sort: '-created_at' } } })

/** Numbers of rows that were applied, that wait, and that were refused. */
const partsOf = (row: Import) => [
  row.rows_created + row.rows_updated + row.rows_unchanged,
  row.rows_held + row.rows_unresolved,
  row.rows_refused,
]

/** Row results of the last imports; dry runs and undone imports are left out. */
export function ImportChart() {
  const { t } = useTranslation('home')
  const format = useFormat()
  const query = useQuery(lastImports())
  const rows = (query.data?.data ?? []).filter((row) => !row.dry_run && row.undoes === null && (row.rows_total ?? 0) > 0).slice(0, LAST)
  const names = [t('charts.imports.applied'), t('charts.imports.waiting'), t('charts.imports.refused')]
  const colors = ['success.main', 'warning.main', 'error.main']
  const nameOf = (row: Import) => `${row.id} · ${row.name || row.upload_file}`
  return (
    <ChartCard
      title={t('charts.imports.title')}
      intro={t('charts.imports.intro')}
      heads={[t('charts.imports.what'), ...names]}
      rows={rows.map((row) => [nameOf(row), ...partsOf(row).map((count) => format.decimal(count))])}
      none={t('charts.imports.none')}
      queries={[query]}
    >
      <StackedBars
        bars={rows.map((row) => ({
          name: nameOf(row),
          // as shares, so that a large file does not hide a small one
          parts: partsOf(row).map((value, at, all) => ({
            name: names[at] ?? '',
            value:
              value /
              Math.max(
                1,
                all.reduce((sum, item) => sum + item, 0),
              ),
            color: colors[at] ?? '',
            pattern: at === 2,
          })),
        }))}
      />
    </ChartCard>
  )
}
