import Typography from '@mui/material/Typography'
import { useTranslation } from 'react-i18next'
import type { BackgroundProcess } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { TableCard } from '~/kit/ui/table-card'
import { type Part, StateRow } from './state-row'

/** The server processes with their last signs of life. */
export function Processes({ rows, query }: Part<BackgroundProcess>) {
  const { t } = useTranslation('operation')
  const { ago, dateTime } = useFormat()
  return (
    <TableCard
      title={t('processes.title')}
      heads={[t('state'), t('processes.name'), t('processes.version'), t('processes.started'), t('processes.seen')]}
      rows={rows}
      query={query}
      empty={
        <Typography variant="body2" color="textSecondary">
          {t('processes.none')}
        </Typography>
      }
    >
      {(processes) =>
        processes.map(({ name, version, started_at, seen_at, alive }) => (
          <StateRow
            key={name}
            state={alive ? 'alive' : 'silent'}
            name={name}
            failure={alive ? null : t('processes.silent')}
            facts={[
              [t('processes.version'), version],
              [t('processes.started'), dateTime(started_at)],
              [t('processes.seen'), ago(seen_at)],
            ]}
          />
        ))
      }
    </TableCard>
  )
}
