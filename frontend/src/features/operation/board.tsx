import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { $api } from '~/api/client'
import { Page } from '~/kit/ui/page'
import { Jobs } from './jobs'
import { Processes } from './processes'
import { Queues } from './queues'

/** Signs of life come every five seconds. */
const REFRESH = 10_000

/** The server processes, what waits in the queues, and the jobs that are due again and again. */
export default function OperationBoard() {
  const { t } = useTranslation('operation')
  const query = useQuery({ ...$api.queryOptions('get', '/api/admin/background-work'), refetchInterval: REFRESH })
  return (
    <Page title={t('title.list')} intro={t('intro')}>
      <Processes rows={query.data?.processes} query={query} />
      <Queues rows={query.data?.queues} query={query} />
      <Jobs rows={query.data?.jobs} query={query} />
    </Page>
  )
}
