import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { $api } from '~/api/client'
import type { BackgroundJob, BackgroundProcess, BackgroundQueue } from '~/api/schema'
import { type Format, useFormat } from '~/i18n/use-format'
import { Page } from '~/kit/ui/page'
import { type Item, StateTable } from './state-table'

/** Refresh interval in milliseconds; processes send a heartbeat every five seconds. */
const REFRESH = 10_000

/** Server processes, queues and recurring jobs with their states. */
export default function OperationBoard() {
  const { t } = useTranslation('operation')
  const format = useFormat()
  const query = useQuery({ ...$api.queryOptions('get', '/api/admin/background-work'), refetchInterval: REFRESH })
  const { processes, queues, jobs } = query.data ?? {}
  const process = useProcessItem(format)
  const queue = useQueue(format)
  const job = useJobItem(format)
  return (
    <Page title={t('title.list')} intro={t('intro')}>
      <StateTable
        title={t('processes.title')}
        heads={[t('processes.name'), t('processes.version'), t('processes.started'), t('processes.seen')]}
        items={processes?.map(process)}
        query={query}
        none={t('processes.none')}
      />
      <StateTable
        title={t('queues.title')}
        heads={[t('queues.name'), t('queues.waiting'), t('queues.running'), t('queues.failed')]}
        items={queues?.map(queue)}
        query={query}
      />
      <StateTable
        title={t('jobs.title')}
        heads={[t('jobs.name'), t('jobs.finished'), t('jobs.due'), t('jobs.runs')]}
        items={jobs?.toSorted(compareFailing).map(job)}
        query={query}
      />
    </Page>
  )
}

const compareFailing = (a: BackgroundJob, b: BackgroundJob) => Number(b.state === 'failing') - Number(a.state === 'failing')

function useProcessItem({ ago, dateTime }: Format) {
  const { t } = useTranslation('operation')
  return ({ name, version, started_at, seen_at, alive }: BackgroundProcess): Item => ({
    id: name,
    name,
    state: alive ? 'alive' : 'silent',
    failure: alive ? null : t('processes.silent'),
    facts: [version, dateTime(started_at), ago(seen_at)],
  })
}

function useQueue({ ago, decimal }: Format) {
  const { t } = useTranslation('operation')
  const nameOf = useNamesOf('queues.names')
  return ({ name, waiting, waiting_since, running, failed }: BackgroundQueue): Item => {
    const waitingText = decimal(waiting)
    return {
      id: name,
      name: nameOf(name),
      state: failed > 0 ? 'failed' : running > 0 ? 'running' : 'waiting',
      facts: [
        waiting_since === null ? waitingText : t('queues.since', { shown: waitingText, ago: ago(waiting_since) }),
        decimal(running),
        decimal(failed),
      ],
    }
  }
}

function useJobItem({ ago, dateTime, decimal }: Format) {
  const { t } = useTranslation('operation')
  const nameOf = useNamesOf('jobs.names')
  return ({ name, state, last_finished_at, due_at, last_failed_at, last_failure, runs, failed_runs }: BackgroundJob): Item => ({
    id: name,
    name: nameOf(name),
    state,
    failure:
      state === 'failing' && last_failed_at !== null ? t('jobs.failure', { code: last_failure ?? '', ago: ago(last_failed_at) }) : null,
    facts: [
      last_finished_at === null ? t('jobs.never') : ago(last_finished_at),
      due_at === null ? t('jobs.soon') : dateTime(due_at),
      t('jobs.ofRuns', { runs: decimal(runs), failed: decimal(failed_runs) }),
    ],
  })
}

/** Returns a function that gives the name of a queue or a job in the reader's language. */
function useNamesOf(texts: 'queues.names' | 'jobs.names'): (name: string) => string {
  const { t } = useTranslation('operation')
  const names: Readonly<Record<string, string>> = t(texts, { returnObjects: true })
  return (name) => names[name] ?? name
}
