import { useTranslation } from 'react-i18next'
import type { BackgroundQueue } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { TableCard } from '~/kit/ui/table-card'
import { type Part, StateRow, useNamesOf } from './state-row'

/** The queues with what waits and what has failed for good. */
export function Queues({ rows, query }: Part<BackgroundQueue>) {
  const { t } = useTranslation('operation')
  const { ago, decimal } = useFormat()
  const nameOf = useNamesOf('queues.names')
  return (
    <TableCard
      title={t('queues.title')}
      heads={[t('state'), t('queues.name'), t('queues.waiting'), t('queues.running'), t('queues.failed')]}
      rows={rows}
      query={query}
      empty={null}
    >
      {(queues) =>
        queues.map(({ name, waiting, waiting_since, running, failed }) => (
          <StateRow
            key={name}
            state={failed > 0 ? 'failed' : running > 0 ? 'running' : 'waiting'}
            name={nameOf(name)}
            failure={null}
            facts={[
              [
                t('queues.waiting'),
                waiting_since === null ? decimal(waiting) : t('queues.since', { shown: decimal(waiting), ago: ago(waiting_since) }),
              ],
              [t('queues.running'), decimal(running)],
              [t('queues.failed'), decimal(failed)],
            ]}
          />
        ))
      }
    </TableCard>
  )
}
