import { useTranslation } from 'react-i18next'
import type { BackgroundJob } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { TableCard } from '~/kit/ui/table-card'
import { type Part, StateRow, useNamesOf } from './state-row'

/** The jobs that are due again and again, those that fail first. */
export function Jobs({ rows, query }: Part<BackgroundJob>) {
  const { t } = useTranslation('operation')
  const { ago, dateTime, decimal } = useFormat()
  const nameOf = useNamesOf('jobs.names')
  const failing = rows?.toSorted((a, b) => Number(b.state === 'failing') - Number(a.state === 'failing'))
  return (
    <TableCard
      title={t('jobs.title')}
      heads={[t('state'), t('jobs.name'), t('jobs.finished'), t('jobs.due'), t('jobs.runs')]}
      rows={failing}
      query={query}
      empty={null}
    >
      {(jobs) =>
        jobs.map(({ name, state, last_finished_at, due_at, last_failed_at, last_failure, runs, failed_runs }) => (
          <StateRow
            key={name}
            state={state}
            name={nameOf(name)}
            failure={
              state === 'failing' && last_failed_at !== null
                ? t('jobs.failure', { code: last_failure ?? '', ago: ago(last_failed_at) })
                : null
            }
            facts={[
              [t('jobs.finished'), last_finished_at === null ? t('jobs.never') : ago(last_finished_at)],
              [t('jobs.due'), due_at === null ? t('jobs.soon') : dateTime(due_at)],
              [t('jobs.runs'), t('jobs.ofRuns', { runs: decimal(runs), failed: decimal(failed_runs) })],
            ]}
          />
        ))
      }
    </TableCard>
  )
}
